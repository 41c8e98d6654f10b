import type { TimedStorage } from '../base-deps.ts'
import { emailsOf } from '../user-model/emails-of.ts'
import { requireUser } from '../user-model/require-user.ts'
import type { DelegationProfile } from './delegate-permission.ts'

/**
 * Returns the delegations that a user gave or got and that have not ended. @throws UserNotFound
 * @example const delegations = await countersign.users.delegations({ email: 'ada@example.com' })
 */
export async function listDelegations(
  deps: TimedStorage,
  input: { readonly email: string },
): Promise<readonly DelegationProfile[]> {
  const { storage, clock } = deps
  const { id } = await requireUser(deps, input.email)
  const delegations = await storage.delegations.running({ userId: id }, clock.now())
  const emails = await emailsOf(
    deps,
    delegations.flatMap(({ from, to }) => [from, to]),
  )
  const withEmail = (userId: number) => ({ id: userId, email: emails.get(userId) ?? '' })
  return delegations.map((one) => ({ ...one, from: withEmail(one.from), to: withEmail(one.to) }))
}
