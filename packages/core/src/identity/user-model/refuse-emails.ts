import type { CurrentUsers } from './current-users.ts'
import { normaliseEmail } from './email.ts'

/**
 * Disables the users of some emails: no login works, and no session is valid. The work and the answers are the same as for a
 * disabled user.
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
      return { ...candidate, barred: 'disabled', recognise: async () => undefined }
    },
    byDirectoryId: async (directoryId) => admitted(await users.byDirectoryId(directoryId)),
    byId: async (id, within) => admitted(await users.byId(id, within)),
    sessionStatus: async (sessionId) => admitted(await users.sessionStatus(sessionId)),
    approvers: (search) => users.approvers({ ...search, refusedEmails: [...refused] }),
    statusToRefresh: async (sessionId) => admitted(await users.statusToRefresh(sessionId)),
  }
}
