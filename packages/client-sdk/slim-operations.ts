import type { Plugin } from 'esbuild'
import { operations } from '../contract/src/operations/index.ts'
import { type OperationRow, rowMembers } from './src/http/operation-row.ts'

/** The values that most rows have and that the client never compares: it looks for `none` and `bare`. */
const usual: ReadonlySet<unknown> = new Set(['user', 'presented', 'data'])

const slim = Object.fromEntries(
  Object.entries<OperationRow>(operations)
    // The client has no methods for operations that need a service token, and its entry `events` reads the stream.
    .filter(([name, row]) => row.authentication !== 'service' && name !== 'events.stream')
    .map(([name, row]) => [
      name,
      // JSON.stringify leaves undefined members out.
      Object.fromEntries(rowMembers.map((member) => [member, usual.has(row[member]) ? undefined : row[member]])),
    ]),
)

/** Replaces the contract's table of operations in the client's bundle by the columns that the client reads. */
export const slimOperations: Plugin = {
  name: 'slim-operations',
  setup: ({ onLoad }) => {
    onLoad({ filter: /contract[\\/]src[\\/]operations[\\/]index\.ts$/ }, () => ({
      contents: `export const operations = ${JSON.stringify(slim)}`,
    }))
  },
}
