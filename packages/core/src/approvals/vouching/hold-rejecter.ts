import { InsufficientTrustLevel } from '../../identity/authentication/caller.ts'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import type { Session } from '../../identity/records/session.ts'
import { isTrusted } from '../../identity/records/trust.ts'
import { type BoundCaller, holdSession } from '../../identity/sessions/bound-of-caller.ts'
import type { IdentityStores } from '../../identity/stores.ts'
import type { Instant } from '../../shared/clock.ts'
import { lockSigner, type Signer } from '../confirmations/signatures/signers.ts'

/**
 * Locks the rows of a trusted device or passkey that rejects, in the order of an approval, so that the two never wait for each
 * other.
 * @throws InvalidAccessToken if the session has ended or the signer was removed, InsufficientTrustLevel
 */
export const holdRejecter = async (
  tx: Pick<IdentityStores, 'trust' | 'sessions' | 'devices' | 'passkeys'>,
  caller: BoundCaller,
  signer: Signer,
  now: Instant,
): Promise<void> => {
  await tx.trust.lock(caller.userId)
  await holdSession(tx, caller)
  const trust = await lockSigner(tx, signer)
  if (trust === undefined) throw new InvalidAccessToken()
  if (!isTrusted(trust, now)) throw new InsufficientTrustLevel()
}

/** Ends the session that asked as `not_me`, if it is reached, even if it had ended before. Returns whether it was live. */
export const disownAsker = async (
  { sessions }: Pick<IdentityStores, 'sessions'>,
  id: string | null,
  now: Instant,
  isReached: (session: Session) => boolean = () => true,
): Promise<boolean> => {
  const asked = id === null ? undefined : await sessions.byId(id)
  if (asked === undefined || !isReached(asked)) return false
  return (await sessions.disown(asked.id, now)) && asked.endedAt === null
}
