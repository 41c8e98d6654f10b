import type { Operation } from '../operations/index.ts'

export const refusalStatuses = {
  400: 'A member of the request is missing or wrong, or the body is not a JSON object',
  401: 'The token, the credentials or the signature is missing or not valid',
  403: 'The permission or the trust level is not sufficient',
  404: 'Nothing has this id, or it belongs to another user',
  409: 'The request conflicts with existing data',
  410: 'The thing that the request names is expired or used',
  413: 'The body is larger than the operation takes',
  415: 'The body is not application/json',
  429: 'A rate limit is exceeded',
  500: 'A fault of the service',
  503: 'The database cannot be reached, or the service has too much to do',
} as const

export type RefusalStatus = keyof typeof refusalStatuses

const takesMembers = ({ path, headers }: Operation): boolean => path.includes('{') || headers !== undefined

/**
 * Lists every error status of an operation, in ascending order: those that follow from what it takes, and its `refusals`.
 * @param hasQuery Whether members of the input are in the query.
 */
export const refusalsOf = (operation: Operation, hasQuery: boolean): readonly RefusalStatus[] => {
  const statuses = new Set<RefusalStatus>([...(operation.refusals ?? []), 500, 503])
  // A host can set a limit for every other operation.
  if (operation.rateLimit !== 'unlimited') statuses.add(429)
  // The server reads every query strictly, and refuses a query that is not percent-encoded UTF-8.
  if (operation.body !== undefined || hasQuery || takesMembers(operation) || operation.method === 'GET') statuses.add(400)
  if (operation.authentication !== 'none') statuses.add(401)
  if (operation.path.includes('{')) statuses.add(404)
  if (operation.body !== undefined) statuses.add(413).add(415)
  return [...statuses].sort((a, b) => a - b)
}
