import type { Caller } from '../authentication/caller.ts'
import type { IdentityDeps } from '../deps.ts'
import { type WithTrust, withTrust } from '../trust/with-trust.ts'
import type { Passkey } from './passkey.ts'

/** The caller's passkeys, oldest first, each with whether it is trusted now. */
export async function listPasskeys(
  { storage, clock }: Pick<IdentityDeps, 'storage' | 'clock'>,
  input: { readonly caller: Pick<Caller, 'userId'> },
): Promise<readonly WithTrust<Passkey>[]> {
  const all = await storage.passkeys.allOfUser(input.caller.userId)
  const now = clock.now()
  return all.map((one) => withTrust(one, now))
}
