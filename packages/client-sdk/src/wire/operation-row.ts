import type { Operation } from '@countersign/contract/operations'

/** What the client needs of an operation's row. The build leaves everything else out of the bundle. */
export const rowMembers = [
  'method',
  'path',
  'authentication',
  'envelope',
  'headers',
] as const satisfies readonly (keyof Operation)[]

export type OperationRow = Pick<Operation, (typeof rowMembers)[number]>
