import type { Plugin } from 'esbuild'
import { operations } from '../../contract/src/operations/index.ts'
import { type OperationRow, rowMembers } from '../src/http/operation-row.ts'

/** What most rows have, and the client never asks for: it looks for `none` and `bare`. */
const usual: ReadonlySet<unknown> = new Set(['user', 'presented', 'data'])

const slim = Object.fromEntries(
  Object.entries(operations).map(([name, row]: [string, OperationRow]) => [
    name,
    // A member that a row does not have is undefined, and so not written.
    Object.fromEntries(rowMembers.map((member) => [member, usual.has(row[member]) ? undefined : row[member]])),
  ]),
)

/** Puts into the bundle of the client, in place of the contract's table of operations, only what the client reads of it. */
export const slimOperations: Plugin = {
  name: 'slim-operations',
  setup: ({ onLoad }) => {
    onLoad({ filter: /contract[\\/]src[\\/]operations[\\/]index\.ts$/ }, () => ({
      contents: `export const operations = ${JSON.stringify(slim)}`,
    }))
  },
}
