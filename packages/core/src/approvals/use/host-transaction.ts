import type { HostClient } from '../../shared/host-client.ts'
import { fromCheck } from '../../shared/input-schemas.ts'
import type { ApprovalDeps, ApproverLookup } from '../deps.ts'

/** The transaction in which an approval is used. */
export interface ConsumeWithin {
  /** The host's own PostgreSQL client, inside a transaction that the host began; `none` for a use without such a transaction. */
  readonly client?: HostClient | 'none' | undefined
}

const isClient = (value: unknown): boolean =>
  value === undefined ||
  value === 'none' ||
  (typeof value === 'object' && value !== null && 'query' in value && typeof value.query === 'function')

/** Checks the type of a `client`. */
export const hostClient = fromCheck((client) =>
  isClient(client) ? undefined : 'must be a client of PostgreSQL, such as fromPg(client), or none',
)

/** Returns the client of the host; `undefined` for a use without one. */
export const clientOf = ({ client }: ConsumeWithin): HostClient | undefined => (client === 'none' ? undefined : client)

/**
 * Returns the ports for work in the transaction of the host. Every statement uses the host's client, because its pool may have no
 * other free connection.
 * @throws TypeError for a client on a database whose transactions cannot be shared
 */
export const inHostTransaction = <D extends ApproverLookup>(deps: D, client: HostClient | undefined): D => {
  if (client === undefined) return deps
  if (deps.storage.within === undefined) {
    throw new TypeError('client: only PostgreSQL can share a transaction with its host; call without a client')
  }
  const stores = deps.storage.within(client)
  const byId: ApprovalDeps['users']['byId'] = (id) => deps.users.byId(id, { client, stores })
  return { ...deps, storage: stores, users: { ...deps.users, byId } }
}
