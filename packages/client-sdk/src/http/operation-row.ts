import type { Operation } from '@countersign/contract/operations'

/**
 * What the client needs of an operation's row. The build leaves everything else out of the bundle, and writes the members in
 * this order: the one in which the table compresses best.
 */
export const rowMembers = [
  'method',
  'envelope',
  'authentication',
  'path',
  'headers',
] as const satisfies readonly (keyof Operation)[]

export type OperationRow = Pick<Operation, (typeof rowMembers)[number]>
