import { mayLogIn, type User } from '../records/user.ts'
import { type CurrentUsers, withinBound } from '../user-model/current-users.ts'
import { complaintAboutEmail } from '../user-model/email.ts'
import { NoHolders } from '../user-model/errors.ts'
import { mayDo } from '../user-model/permissions.ts'
import { checkedAnswer, type MirrorDeps, mirrorAnswer, mirrorUser, passwordMark } from './mirror-user.ts'

/** An email that no user has (RFC 2606 §2). */
const NOBODY = 'nobody@directory.invalid'

/** The most holders of a permission that a directory is asked for. */
const MOST_HOLDERS = 1000

/** The users of a directory. Each user has a row in the storage, which is updated before every use. */
export const directoryUsers = (deps: MirrorDeps): CurrentUsers => {
  const { storage, directory } = deps
  const current: CurrentUsers = {
    areKeptByHost: true,

    byEmail: async (email) => {
      const answer = await directory.byEmail(email)
      // A look-up with an impossible email finds no user, whatever the directory answers. An error here would reveal a user.
      const user = complaintAboutEmail(email) === undefined ? checkedAnswer(answer) : undefined
      const row = await storage.users.byDirectoryId(user?.id ?? '')
      if (user === undefined || user.profile.email !== email) return undefined
      const { id: directoryId, passwordHash, disabled } = user
      return {
        id: row?.id,
        passwordHash,
        barred: disabled ? 'disabled' : (row?.lockedAt ?? null) === null ? undefined : 'locked',
        recognise: async () => {
          const known = await mirrorUser(deps, directoryId)
          return known?.passwordHash === passwordMark(passwordHash) ? known : undefined
        },
      }
    },

    // The directory knows the formats of its hashes; see `PasswordHasher.verify`.
    hashLike: async () => null,

    byId: async (id, within) => {
      const asking = within === undefined ? deps : { ...deps, storage: within.stores, client: within.client }
      const row = await asking.storage.users.byId(id)
      if (row !== undefined && row.directoryId !== null) return mirrorUser(asking, row.directoryId, row)
      // The host itself calls with a client, so the answer need not take as long as for a known user.
      if (within !== undefined) return undefined
      await directory.byEmail(NOBODY)
      return undefined
    },

    sessionStatus: async (sessionId) => {
      const status = await storage.sessions.status(sessionId)
      if (status === undefined) return undefined
      const row = await storage.users.byId(status.userId)
      if (row === undefined || row.directoryId === null) return undefined
      const user = await mirrorUser(deps, row.directoryId, row)
      // The update may have ended the session or changed its status.
      return withinBound(user?.version === row.version ? status : await storage.sessions.status(sessionId))
    },

    statusToRefresh: (sessionId) => current.sessionStatus(sessionId),

    byDirectoryId: (directoryId) => mirrorUser(deps, directoryId),

    // A holder who never logged in has no row, and no device either.
    approvers: async ({ permission, ...search }) => {
      const { tenant } = search
      if (directory.holdersOf === undefined) throw new NoHolders()
      const holders = (await directory.holdersOf(permission, tenant, MOST_HOLDERS)).slice(0, MOST_HOLDERS)
      const answers = new Map(holders.map((holder) => [holder.id, checkedAnswer(holder)]))
      const approvers: User[] = []
      for (const row of await storage.users.approvers({ directoryIds: [...answers.keys()], ...search })) {
        const user = await mirrorAnswer(deps, row, answers.get(row.directoryId ?? ''))
        if (user !== undefined && mayLogIn(user) && mayDo(user.permissions, permission, tenant)) approvers.push(user)
      }
      return approvers
    },
  }
  return current
}
