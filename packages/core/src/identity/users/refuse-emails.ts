import type { CurrentUsers } from './current-users.ts'
import { normaliseEmail } from './email.ts'

/**
 * The same users, without those of some emails: none of their ways to log in works, and none of their sessions counts. The
 * work and the answers are those for a disabled user.
 */
export const refuseEmails = (users: CurrentUsers, emails: readonly string[]): CurrentUsers => {
  if (emails.length === 0) return users
  const refused = new Set(emails.map(normaliseEmail))
  const admitted = <T extends { readonly email: string }>(user: T | undefined): T | undefined =>
    user === undefined || refused.has(user.email) ? undefined : user
  return {
    ...users,
    byEmail: async (email) => {
      const candidate = await users.byEmail(email)
      if (candidate === undefined || !refused.has(email)) return candidate
      return { ...candidate, disabled: true, recognise: async () => undefined }
    },
    byId: async (id) => admitted(await users.byId(id)),
    sessionStatus: async (sessionId) => admitted(await users.sessionStatus(sessionId)),
    statusToRefresh: async (sessionId) => admitted(await users.statusToRefresh(sessionId)),
  }
}
