import type { HostClient } from '../../shared/host-client.ts'
import type { Transactional } from '../../shared/transactional.ts'
import type { SessionStatus } from '../records/session.ts'
import type { ApproverLimits, User } from '../records/user.ts'
import type { IdentityStores } from '../stores.ts'
import { normaliseEmail } from './email.ts'
import { grantersOf, permissionsWithin } from './permissions.ts'

/** The user behind an email, before any credential is checked. */
export interface Candidate {
  /** The user id; `undefined` if the user never logged in and owns nothing. */
  readonly id: number | undefined
  readonly passwordHash: string | null
  /** Why the user cannot log in, whatever the credential; `undefined` for a user who can. */
  readonly barred: 'disabled' | 'locked' | 'no_directory' | undefined
  /** Returns the user after a successful password check; `undefined` if the password has changed since. */
  recognise(): Promise<User | undefined>
}

/** A transaction in which a user is looked up. */
export interface HostTransaction {
  /** The client of the host; `undefined` in a transaction of ours. */
  readonly client: HostClient | undefined
  readonly stores: Transactional<IdentityStores>
}

/** A search for holders of a permission who could approve an action now. */
export interface ApproverSearch extends ApproverLimits {
  readonly permission: `${string}.${string}`
  readonly tenant: string | null
}

/** The current users and permissions, from the storage or from the directory of the host. */
export interface CurrentUsers {
  readonly areKeptByHost: boolean
  /** Looks up a user without writing. The work is the same for every email. */
  byEmail(email: string): Promise<Candidate | undefined>
  /**
   * Returns the hash of another account, chosen pseudo-randomly by this email, or `null`, which the check of an unknown account
   * imitates. The work is the same for every email.
   */
  hashLike(email: string): Promise<string | null>
  /** With `within`, no other connection than the connection of the host is used. */
  byId(id: number, within?: HostTransaction): Promise<User | undefined>
  /** Returns the status of a session with its permissions (`permissionsWithin`). A directory is asked at every call. */
  sessionStatus(sessionId: string): Promise<SessionStatus | undefined>
  /** The same for a refresh. Without a directory, the sessions of a directory's users cannot be refreshed. */
  statusToRefresh(sessionId: string): Promise<SessionStatus | undefined>
  byDirectoryId(directoryId: string): Promise<User | undefined>
  /** Returns the holders of a permission who can approve now, the least recently asked first. @throws NoHolders */
  approvers(search: ApproverSearch): Promise<readonly User[]>
}

/** Returns the status with the permissions that the session has. */
export const withinBound = (status: SessionStatus | undefined): SessionStatus | undefined =>
  status === undefined || status.tenants === null
    ? status
    : { ...status, permissions: permissionsWithin(status.permissions, status.tenants) }

/** Returns the hash that a check for this email imitates. */
export type HashLike = (email: string) => Promise<string | null>

/** The users in the storage. A user of a directory counts as unknown, because only the directory knows who may log in. */
export const storedUsers = ({ users, sessions }: IdentityStores, hashLike: HashLike): CurrentUsers => {
  const barrierOf = ({ disabledAt, lockedAt }: User): Candidate['barred'] => {
    if (disabledAt !== null) return 'disabled'
    return lockedAt === null ? undefined : 'locked'
  }
  const own = <T extends Pick<User, 'directoryId'>>(user: T | undefined): T | undefined =>
    user?.directoryId === null ? user : undefined
  return {
    areKeptByHost: false,
    byEmail: async (email) => {
      const user = await users.byEmail(email)
      if (user === undefined) return undefined
      if (own(user) === undefined)
        return { id: user.id, passwordHash: null, barred: 'no_directory', recognise: async () => undefined }
      return { ...user, barred: barrierOf(user), recognise: async () => user }
    },
    hashLike,
    byId: async (id, within) => own(await (within?.stores.users ?? users).byId(id)),
    sessionStatus: async (sessionId) => withinBound(await sessions.status(sessionId)),
    statusToRefresh: async (sessionId) => withinBound(own(await sessions.status(sessionId))),
    byDirectoryId: async () => undefined,
    approvers: ({ permission, ...search }) => users.approvers({ permissions: grantersOf(permission, search.tenant), ...search }),
  }
}

/** Disables the users of some emails, with the same work and answers as for disabled users. */
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
