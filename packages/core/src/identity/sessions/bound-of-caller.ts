import { Forbidden } from '../../shared/errors.ts'
import type { Caller } from '../authentication/caller.ts'
import { InvalidAccessToken } from '../authentication/errors.ts'
import type { IdentityStorage } from '../base-deps.ts'
import { type Bound, isWithin } from '../records/bound.ts'

/** A caller, of whom a host may know the user id only. Such a caller is the host itself, and is not bound. */
export type BoundCaller = Pick<Caller, 'userId'> & Partial<Pick<Caller, 'sessionId' | 'tenants'>>

/**
 * Returns the tenants to which the session of a caller is bound. A host may pass a caller without its tenants; they are then read
 * from the session. @throws InvalidAccessToken if that session has ended
 */
export const boundOfCaller = async (
  { storage }: IdentityStorage,
  { userId, sessionId, tenants }: BoundCaller,
): Promise<Bound> => {
  if (tenants !== undefined || sessionId === undefined) return tenants ?? null
  const status = await storage.sessions.status(sessionId)
  if (status?.userId !== userId) throw new InvalidAccessToken()
  return status.tenants
}

/** Checks that a caller may act in a tenant; `null`: without one. @throws Forbidden for a session that is bound to others */
export const requireWithin = async (deps: IdentityStorage, caller: BoundCaller, tenant: string | null): Promise<Bound> => {
  const tenants = await boundOfCaller(deps, caller)
  if (!isWithin(tenants, tenant)) throw new Forbidden()
  return tenants
}
