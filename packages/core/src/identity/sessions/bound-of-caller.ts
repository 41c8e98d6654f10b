import { Forbidden } from '../../shared/errors.ts'
import type { Caller } from '../authentication/caller.ts'
import { InvalidAccessToken } from '../authentication/errors.ts'
import type { IdentityStorage } from '../base-deps.ts'
import { type Bound, isWithin } from '../records/bound.ts'
import type { IdentityStores } from '../stores.ts'

/** A caller whose session may be unknown: then a host, or an administrator, acts for the user, and is not bound. */
export type BoundCaller = Pick<Caller, 'userId'> & Partial<Pick<Caller, 'sessionId' | 'tenants'>>

/** The caller of a use case that needs a live session. */
export interface InSession {
  readonly caller: Pick<Caller, 'userId' | 'sessionId' | 'tenants'>
}

/** Returns the bound of the caller's session, which a host need not pass. @throws InvalidAccessToken if the session ended */
export const boundOfCaller = async (deps: IdentityStorage, { userId, sessionId, tenants }: BoundCaller): Promise<Bound> => {
  if (tenants !== undefined || sessionId === undefined) return tenants ?? null
  const status = await deps.storage.sessions.status(sessionId)
  if (status?.userId !== userId) throw new InvalidAccessToken()
  return status.tenants
}

/** Checks that a caller may act in a tenant; `null`: without one. @throws Forbidden for a session that is bound to others */
export const requireWithin = async (deps: IdentityStorage, caller: BoundCaller, tenant: string | null): Promise<Bound> => {
  const tenants = await boundOfCaller(deps, caller)
  if (!isWithin(tenants, tenant)) throw new Forbidden()
  return tenants
}

/** Holds the live session of the caller until the transaction ends. @throws InvalidAccessToken if the session ended */
export const holdSession = async (tx: Pick<IdentityStores, 'sessions'>, { userId, sessionId }: BoundCaller): Promise<void> => {
  if (sessionId !== undefined && !(await tx.sessions.hold(sessionId, userId))) throw new InvalidAccessToken()
}
