import type { Caller } from '../authentication/caller.ts'
import type { IdentityDeps } from '../deps.ts'
import type { Passkey } from './passkey.ts'

/** The caller's passkeys, oldest first. */
export const listPasskeys = async (
  { storage }: Pick<IdentityDeps, 'storage'>,
  input: { readonly caller: Pick<Caller, 'userId'> },
): Promise<readonly Passkey[]> => storage.passkeys.allOfUser(input.caller.userId)
