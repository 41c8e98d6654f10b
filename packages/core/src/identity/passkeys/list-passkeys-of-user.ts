import type { IdentityDeps } from '../deps.ts'
import type { WithTrust } from '../trust/with-trust.ts'
import { requireUser } from '../users/require-user.ts'
import { listPasskeys } from './list-passkeys.ts'
import type { Passkey } from './passkey.ts'

/** The passkeys of the user with this email, oldest first, for admins. @throws UserNotFound */
export async function listPasskeysOfUser(
  deps: Pick<IdentityDeps, 'storage' | 'clock'>,
  input: { readonly email: string },
): Promise<readonly WithTrust<Passkey>[]> {
  const user = await requireUser(deps, input.email)
  const caller = { userId: user.id }
  return listPasskeys(deps, { caller })
}
