import type { IdentityDeps } from '../deps.ts'
import { requireUser } from '../users/require-user.ts'
import type { Passkey } from './passkey.ts'

/** The passkeys of the user with this email, oldest first, for admins. @throws UserNotFound */
export const listPasskeysOfUser = async (
  deps: Pick<IdentityDeps, 'storage'>,
  input: { readonly email: string },
): Promise<readonly Passkey[]> => deps.storage.passkeys.allOfUser((await requireUser(deps, input.email)).id)
