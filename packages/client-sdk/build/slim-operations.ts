import type { Plugin } from 'esbuild'
import { operations } from '../../contract/src/operations.ts'
import { rowMembers } from '../src/wire/operation-row.ts'

const kept: ReadonlySet<string> = new Set(rowMembers)

const slim = Object.fromEntries(
  Object.entries(operations).map(([name, row]) => [
    name,
    Object.fromEntries(Object.entries(row).filter(([member]) => kept.has(member))),
  ]),
)

/** Puts into the bundle of the client, in place of the contract's table of operations, only what the client reads of it. */
export const slimOperations: Plugin = {
  name: 'slim-operations',
  setup: ({ onLoad }) => {
    onLoad({ filter: /contract[\\/]src[\\/]operations\.ts$/ }, () => ({
      contents: `export const operations = ${JSON.stringify(slim)}`,
    }))
  },
}
