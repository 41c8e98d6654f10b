import type { Plugin } from 'esbuild'
import { approvalOperations, identityOperations, operations } from '../contract/src/operations/index.ts'
import { type OperationRow, rowMembers } from './src/http/to-request.ts'

/** The values that most rows have and that the client never compares: it looks for `none` and `bare`. */
const usual: ReadonlySet<unknown> = new Set(['user', 'presented', 'data'])

const slim = (rows: Readonly<Record<string, OperationRow>>): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(rows).map(([name, row]) => [
        name,
        // JSON.stringify leaves undefined members out.
        Object.fromEntries(rowMembers.map((member) => [member, usual.has(row[member]) ? undefined : row[member]])),
      ]),
    ),
  )

/** The client has no methods for operations that need a service token, and its entry `events` reads the stream. */
const ofUsers = Object.fromEntries(
  Object.entries<OperationRow>(operations).filter(
    ([name, { authentication }]) => authentication !== 'service' && name !== 'events.stream',
  ),
)

/** The tables of operations: the first is in the bundle of the client, the others in the entries for services and events. */
const contents = `export const operations = ${slim(ofUsers)}
export const identityOperations = ${slim(identityOperations)}
export const approvalOperations = ${slim(approvalOperations)}`

/** Replaces the contract's tables of operations in the client's bundle by the columns that the client reads. */
export const slimOperations: Plugin = {
  name: 'slim-operations',
  setup: ({ onLoad }) => {
    onLoad({ filter: /contract[\\/]src[\\/]operations[\\/]index\.ts$/ }, () => ({ contents }))
  },
}
