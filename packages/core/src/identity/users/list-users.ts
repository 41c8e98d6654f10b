import type { IdentityDeps } from '../deps.ts'
import { toProfile, type UserProfile } from '../records/user.ts'

const PAGE = 500

/**
 * Yields all users by ascending id, and reads them in pages.
 * @example for await (const { email } of countersign.users.list()) console.log(email)
 */
export async function* listUsers({ storage }: Pick<IdentityDeps, 'storage'>): AsyncGenerator<UserProfile> {
  let afterId = 0
  for (;;) {
    const users = await storage.users.list({ afterId, limit: PAGE })
    for (const user of users) yield toProfile(user)
    const last = users.at(-1)
    if (last === undefined || users.length < PAGE) return
    afterId = last.id
  }
}
