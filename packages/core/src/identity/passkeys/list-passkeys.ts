import { requireUser } from '../accounts/require-user.ts'
import type { Caller } from '../authentication/caller.ts'
import type { IdentityDeps } from '../deps.ts'
import type { Passkey } from '../records/passkey.ts'
import { type WithTrust, withTrust } from '../trust/with-trust.ts'

/**
 * The passkeys of the user with this email, oldest first, for admins. @throws UserNotFound
 * @example const passkeys = await countersign.passkeys.listOfUser({ email: 'ada@example.com' })
 */
export async function listPasskeysOfUser(
  deps: Pick<IdentityDeps, 'storage' | 'clock'>,
  input: { readonly email: string },
): Promise<readonly WithTrust<Passkey>[]> {
  const user = await requireUser(deps, input.email)
  const caller = { userId: user.id }
  return listPasskeys(deps, { caller })
}

/**
 * The caller's passkeys, oldest first, each with whether it is trusted now. @throws Invalid
 * @example const passkeys = await countersign.passkeys.list({ caller })
 */
export async function listPasskeys(
  { storage, clock }: Pick<IdentityDeps, 'storage' | 'clock'>,
  input: { readonly caller: Pick<Caller, 'userId'> },
): Promise<readonly WithTrust<Passkey>[]> {
  const all = await storage.passkeys.allOfUser(input.caller.userId)
  const now = clock.now()
  return all.map((one) => withTrust(one, now))
}
