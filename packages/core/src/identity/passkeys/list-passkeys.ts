import type { TimedStorage } from '../base-deps.ts'
import { reaches } from '../records/bound.ts'
import type { Passkey } from '../records/passkey.ts'
import { type BoundCaller, boundOfCaller } from '../sessions/bound-of-caller.ts'
import { type WithTrust, withTrust } from '../trust/with-trust.ts'
import { requireUser } from '../user-model/require-user.ts'

/**
 * The passkeys of the user with this email, oldest first, for admins. @throws UserNotFound
 * @example const passkeys = await countersign.passkeys.listOfUser({ email: 'ada@example.com' })
 */
export async function listPasskeysOfUser(
  deps: TimedStorage,
  input: { readonly email: string },
): Promise<readonly WithTrust<Passkey>[]> {
  const user = await requireUser(deps, input.email)
  const caller = { userId: user.id }
  return listPasskeys(deps, { caller })
}

/**
 * The caller's passkeys, oldest first, each with whether it is trusted now; of a bound caller, those with the same bound. @throws
 * Invalid
 * @example const passkeys = await countersign.passkeys.list({ caller })
 */
export async function listPasskeys(
  { storage, clock }: TimedStorage,
  { caller }: { readonly caller: BoundCaller },
): Promise<readonly WithTrust<Passkey>[]> {
  const tenants = await boundOfCaller({ storage }, caller)
  const all = (await storage.passkeys.allOfUser(caller.userId)).filter((passkey) => reaches(tenants, passkey.tenants))
  const now = clock.now()
  return all.map((one) => withTrust(one, now))
}
