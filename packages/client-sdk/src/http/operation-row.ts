import type { Operation } from '@countersign/contract/operations'

/**
 * The members of an operation's row that the client needs. The build leaves other members out of the bundle. The bundle has the
 * members in this order, which compresses best.
 */
export const rowMembers = [
  'method',
  'envelope',
  'authentication',
  'path',
  'headers',
] as const satisfies readonly (keyof Operation)[]

export type OperationRow = Pick<Operation, (typeof rowMembers)[number]>
