import type { SessionStatus } from '../sessions/session.ts'
import type { IdentityStores } from '../stores.ts'
import type { User } from './user.ts'

/** Whom an email means, for somebody who has proven nothing yet. */
export interface Candidate {
  /** `undefined` where they have never logged in, and have nothing that belongs to them. */
  readonly id: number | undefined
  readonly passwordHash: string | null
  readonly disabled: boolean
  /** The user, for somebody who has proven to know the password; `undefined` where it is another one by now. */
  recognise(): Promise<User | undefined>
}

/** Who a user is and what they may do, now: as the storage says, or the host's directory. */
export interface CurrentUsers {
  readonly areKeptElsewhere: boolean
  /** Only reads, and does the same work for whoever is asked for. */
  byEmail(email: string): Promise<Candidate | undefined>
  byId(id: number): Promise<User | undefined>
  /** Returns the status of a session, as `SessionStore.status` does. A directory is asked at every call. */
  sessionStatus(sessionId: string): Promise<SessionStatus | undefined>
  /** The same for a refresh. Without a directory, the sessions of a directory's users cannot be refreshed. */
  statusToRefresh(sessionId: string): Promise<SessionStatus | undefined>
  byDirectoryId(directoryId: string): Promise<User | undefined>
}

/** The users of the storage. Whom a directory keeps is nobody here: without it, nobody can say whether they may come in. */
export const storedUsers = ({ users, sessions }: Pick<IdentityStores, 'users' | 'sessions'>): CurrentUsers => {
  const own = <T extends Pick<User, 'directoryId'>>(user: T | undefined): T | undefined =>
    user?.directoryId === null ? user : undefined
  return {
    areKeptElsewhere: false,
    byEmail: async (email) => {
      const user = own(await users.byEmail(email))
      return user && { ...user, disabled: user.disabledAt !== null, recognise: async () => user }
    },
    byId: async (id) => own(await users.byId(id)),
    sessionStatus: (sessionId) => sessions.status(sessionId),
    statusToRefresh: async (sessionId) => own(await sessions.status(sessionId)),
    byDirectoryId: async () => undefined,
  }
}
