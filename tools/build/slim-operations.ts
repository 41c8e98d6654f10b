import type { Options } from 'tsup'
import { rowMembers } from '../../packages/client-sdk/src/wire/operation-row.ts'
import { operations } from '../../packages/contract/src/operations.ts'

const slim = Object.fromEntries(
  Object.entries(operations).map(([name, row]) => [
    name,
    Object.fromEntries(Object.entries(row).filter(([member]) => (rowMembers as readonly string[]).includes(member))),
  ]),
)

/** Puts into the bundle of the client, in place of the table of operations, only what the client reads of it. */
export const slimOperations: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'slim-operations',
  setup: ({ onLoad }) => {
    onLoad({ filter: /contract[\\/]src[\\/]operations\.ts$/ }, () => ({
      contents: `export const operations = ${JSON.stringify(slim)}`,
    }))
  },
}
