import type { Checked } from '@countersign/contract'
import type { Caller } from '../authentication/caller.ts'
import type { IdentityDeps } from '../deps.ts'
import { type WithTrust, withTrust } from '../trust/with-trust.ts'
import { PasskeyNotFound } from './errors.ts'
import type { Passkey } from './passkey.ts'

/** Renames a passkey of the caller. @throws PasskeyNotFound, also for a passkey of another user */
export const renamePasskey = async (
  { storage, clock }: Pick<IdentityDeps, 'storage' | 'clock'>,
  input: Checked<'passkeys.rename'> & { readonly caller: Pick<Caller, 'userId'> },
): Promise<WithTrust<Passkey>> => {
  const renamed = await storage.passkeys.rename(input.caller.userId, input.credentialId, input.name)
  if (renamed === undefined) throw new PasskeyNotFound()
  return withTrust(renamed, clock.now())
}
