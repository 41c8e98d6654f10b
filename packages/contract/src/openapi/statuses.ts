import type { Operation } from '../operations/index.ts'

/** Statuses of refusals that the whole interface knows, and when each is given. */
export const refusalStatuses = {
  400: 'A member of the request is missing or wrong, or the body is not the JSON it must be',
  401: 'The token, credentials or signature are missing or not good',
  403: 'The permission or the trust level is not sufficient',
  404: 'There is nothing of that name, or it belongs to someone else',
  409: 'It conflicts with what is there already',
  410: 'It is expired, or was used already',
  413: 'The body is larger than the operation takes',
  415: 'The body is not application/json',
  429: 'A rate limit is exceeded',
  500: 'A fault of the service',
  503: 'The database is away, or the service has too much to do',
} as const

export type RefusalStatus = keyof typeof refusalStatuses

const takesMembers = ({ path, headers }: Operation): boolean => path.includes('{') || headers !== undefined

/** Whether the operation's members travel in a JSON body. */
export const hasBody = ({ body }: Operation): boolean => body !== undefined

/**
 * Every status with which an operation can refuse, in ascending order: what follows from its row, and what the row names.
 *
 * @param hasQuery Whether members of its input travel in the query.
 */
export const refusalsOf = (operation: Operation, hasQuery: boolean): readonly RefusalStatus[] => {
  // A host may set a limit also where there is none otherwise.
  const statuses = new Set<RefusalStatus>([...(operation.refusals ?? []), 429, 500, 503])
  // A query is read strictly wherever there is one, so any operation refuses one that is not percent-encoded UTF-8.
  if (hasBody(operation) || hasQuery || takesMembers(operation) || operation.method === 'GET') statuses.add(400)
  if (operation.authentication !== 'none') statuses.add(401)
  if (operation.path.includes('{')) statuses.add(404)
  if (hasBody(operation)) statuses.add(413).add(415)
  return [...statuses].sort((a, b) => a - b)
}
