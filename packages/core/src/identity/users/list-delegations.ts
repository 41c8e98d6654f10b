import { requireUser } from '../accounts/require-user.ts'
import type { IdentityDeps } from '../deps.ts'
import type { DelegationProfile } from './delegate-permission.ts'

/** Returns the delegations that a user gave or got and that have not ended. @throws UserNotFound */
export async function listDelegations(
  deps: Pick<IdentityDeps, 'storage' | 'clock'>,
  input: { readonly email: string },
): Promise<readonly DelegationProfile[]> {
  const { storage, clock } = deps
  const { id } = await requireUser(deps, input.email)
  const profileOf = async (userId: number) => ({ id: userId, email: (await storage.users.byId(userId))?.email ?? '' })
  const delegations = await storage.delegations.ofUser(id, clock.now())
  return Promise.all(delegations.map(async (one) => ({ ...one, from: await profileOf(one.from), to: await profileOf(one.to) })))
}
