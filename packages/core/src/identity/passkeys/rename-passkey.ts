import type { Checked } from '@countersign/contract'
import type { Caller } from '../authentication/caller.ts'
import type { IdentityDeps } from '../deps.ts'
import type { Passkey } from '../records/passkey.ts'
import { holdSession } from '../sessions/hold-session.ts'
import { type WithTrust, withTrust } from '../trust/with-trust.ts'
import { PasskeyNotFound } from './errors.ts'

/**
 * Renames a passkey of the caller.
 * @throws PasskeyNotFound, also for a passkey of another user
 * @throws InvalidAccessToken if the session of the caller has ended
 * @example await countersign.passkeys.rename({ caller, credentialId, name: 'Laptop' })
 */
export async function renamePasskey(
  { storage, clock }: Pick<IdentityDeps, 'storage' | 'clock'>,
  input: Checked<'passkeys.rename'> & { readonly caller: Pick<Caller, 'userId' | 'sessionId'> },
): Promise<WithTrust<Passkey>> {
  const renamed = await storage.transaction(async (tx) => {
    await holdSession(tx, input.caller)
    return tx.passkeys.rename(input.caller.userId, input.credentialId, input.name)
  })
  if (renamed === undefined) throw new PasskeyNotFound()
  return withTrust(renamed, clock.now())
}
