import type { Instant } from '../../shared/clock.ts'
import { NothingToChange } from '../../shared/errors.ts'
import { ServiceTokenNotFound } from '../authentication/errors.ts'
import type { IdentityStorage } from '../base-deps.ts'
import { covers, type ServiceToken } from '../records/service-token.ts'
import { type EndingDeps, notifyOfUndone, undoEndedSessions } from '../sessions/undo-ended-sessions.ts'
import type { IdentityStores } from '../stores.ts'
import type { Undone } from '../user-model/account-endings.ts'

/**
 * Returns all service tokens, newest first, without the tokens themselves.
 * @example const tokens = await countersign.serviceTokens.list()
 */
export async function listServiceTokens({ storage }: IdentityStorage): Promise<readonly ServiceToken[]> {
  return storage.serviceTokens.list()
}

/**
 * Revokes a service token within one second on every server. Bound sessions that the service opened end too, unless another valid
 * token of the service covers their tenants. Their devices stay bound.
 * @throws ServiceTokenNotFound, NothingToChange if the token was revoked before
 * @example await countersign.serviceTokens.revoke({ id: serviceToken.id })
 */
export async function revokeServiceToken(deps: EndingDeps, input: { readonly id: string }): Promise<ServiceToken> {
  const { storage, clock } = deps
  const done = await storage.transaction(async (tx) => {
    const now = clock.now()
    const revoked = await tx.serviceTokens.revoke(input.id, now)
    return revoked && { revoked, ended: await endUncovered(deps, tx, revoked.service.toLowerCase(), now) }
  })
  if (done !== undefined) {
    for (const [userId, undone] of done.ended) notifyOfUndone(deps, userId, undone)
    return done.revoked
  }
  const isKnown = (await storage.serviceTokens.list()).some(({ id }) => id === input.id)
  throw isKnown ? new NothingToChange('The service token is revoked already') : new ServiceTokenNotFound()
}

/** Ends the bound sessions of a service whose tenants no valid token of the service covers, and undoes their work. */
const endUncovered = async (deps: EndingDeps, tx: IdentityStores, service: string, now: Instant) => {
  const valid = await tx.serviceTokens.holdValid(service, now)
  const ended: [userId: number, Undone][] = []
  for (const { userId, tenants } of await tx.sessions.boundOpenedBy(service)) {
    if (valid.some((token) => covers(token, tenants))) continue
    await tx.trust.lock(userId)
    await tx.sessions.endAll({ userId, openedBy: service, tenants }, 'revoked', now)
    ended.push([userId, await undoEndedSessions(deps, tx, userId, now, 'of_ended_sessions')])
  }
  return ended
}
