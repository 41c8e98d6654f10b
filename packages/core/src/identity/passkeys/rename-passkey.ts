import type { Checked } from '@countersign/contract'
import type { Caller } from '../authentication/caller.ts'
import type { TimedStorage } from '../base-deps.ts'
import { reaches } from '../records/bound.ts'
import type { Passkey } from '../records/passkey.ts'
import { boundOfCaller } from '../sessions/bound-of-caller.ts'
import { holdSession } from '../sessions/hold-session.ts'
import { type WithTrust, withTrust } from '../trust/with-trust.ts'
import { PasskeyNotFound } from './errors.ts'

/**
 * Renames a passkey of the caller.
 * @throws PasskeyNotFound, also for a passkey of another user, and for a passkey that a bound caller does not reach
 * @throws InvalidAccessToken if the session of the caller has ended
 * @example await countersign.passkeys.rename({ caller, credentialId, name: 'Laptop' })
 */
export async function renamePasskey(
  { storage, clock }: TimedStorage,
  input: Checked<'passkeys.rename'> & { readonly caller: Pick<Caller, 'userId' | 'sessionId' | 'tenants'> },
): Promise<WithTrust<Passkey>> {
  const tenants = await boundOfCaller({ storage }, input.caller)
  const renamed = await storage.transaction(async (tx) => {
    await holdSession(tx, input.caller)
    const passkey = await tx.passkeys.lock(input.caller.userId, input.credentialId)
    if (passkey === undefined || !reaches(tenants, passkey.tenants)) return undefined
    return tx.passkeys.rename(input.caller.userId, input.credentialId, input.name)
  })
  if (renamed === undefined) throw new PasskeyNotFound()
  return withTrust(renamed, clock.now())
}
