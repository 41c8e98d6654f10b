import type { NewUser, UserStore } from '../../../identity/users/store.ts'
import { mayLogIn, type User } from '../../../identity/users/user.ts'
import type { Instant } from '../../../shared/clock.ts'
import { insert, type Run, replaceWhere, type Tables } from '../tables.ts'

/** The users that are not erased. */
const knownUsers = ({ users, erasedUsers }: Tables): User[] => [...users.values()].filter(({ id }) => !erasedUsers.has(id))

const someUser = (tables: Tables, condition: (user: User) => boolean): User | undefined => knownUsers(tables).find(condition)

const setLock = (
  { users, erasedUsers }: Tables,
  id: number,
  condition: (user: User) => boolean,
  lockedAt: Instant | null,
  now: Instant,
): User | undefined =>
  replaceWhere(
    users,
    id,
    (user) => !erasedUsers.has(id) && condition(user),
    (user) => ({ ...user, lockedAt, version: user.version + 1, updatedAt: now }),
  )

const add = (tables: Tables, user: NewUser): User | undefined => {
  if ([...tables.users.values()].some(({ email }) => email === user.email)) return undefined
  if (user.directoryId !== null && someUser(tables, ({ directoryId }) => directoryId === user.directoryId)) return undefined
  tables.lastUserId += 1
  const id = tables.lastUserId
  const created: User = { ...user, id, version: 1, disabledAt: null, lockedAt: null, updatedAt: user.createdAt }
  insert(tables.users, id, created)
  return created
}

/** The personal data of an erased user. The address cannot exist (RFC 2606 §2). */
const blank = (id: number) => ({
  id,
  directoryId: null,
  email: `erased-${id}@users.invalid`,
  name: '',
  employee: { id: '', name: '', avatarFileId: '' },
  department: { id: '', name: '' },
  permissions: [],
  passwordHash: null,
})

export const memoryUsers = (run: Run): UserStore => ({
  create: (user) => run((tables) => add(tables, user)),
  createMany: (users) => run((tables) => users.map((user) => add(tables, user)).filter((created) => created !== undefined)),
  byId: (id) => run((tables) => someUser(tables, (user) => user.id === id)),
  byEmail: (email) => run((tables) => someUser(tables, (user) => user.email === email)),
  byDirectoryId: (id) => run((tables) => someUser(tables, ({ directoryId }) => directoryId === id)),
  byEmails: (emails) => run((tables) => knownUsers(tables).filter(({ email }) => emails.includes(email))),
  hashFrom: (id) =>
    run(({ users }) => {
      const ids = [...users.keys()].sort((a, b) => a - b)
      const user = users.get(ids.find((one) => one >= id) ?? 0)
      return user && { passwordHash: user.passwordHash, lastId: ids.at(-1) ?? 0 }
    }),
  contacts: (ids) =>
    run((tables) =>
      knownUsers(tables)
        .filter(({ id }) => ids.includes(id))
        .map(({ id, name, email }) => ({ id, name, email })),
    ),
  list: ({ afterId, limit }) =>
    run((tables) =>
      knownUsers(tables)
        .filter(({ id }) => id > afterId)
        .sort((a, b) => a.id - b.id)
        .slice(0, limit),
    ),
  internationalEmails: ({ afterId, limit }) =>
    run((tables) =>
      knownUsers(tables)
        .filter(({ id, email }) => id > afterId && /[^\0-\x7f]|xn--/.test(email))
        .sort((a, b) => a.id - b.id)
        .slice(0, limit)
        .map(({ id, email }) => ({ id, email })),
    ),
  change: (id, version, change, now) =>
    run((tables) => {
      if (someUser(tables, (user) => user.email === change.email && user.id !== id)) return undefined
      return replaceWhere(
        tables.users,
        id,
        (user) => user.version === version && !tables.erasedUsers.has(id),
        (user) => ({ ...user, ...change, version: version + 1, updatedAt: now }),
      )
    }),
  lock: (id, now) => run((tables) => setLock(tables, id, (user) => user.lockedAt === null, now, now)),
  unlock: (id, now) => run((tables) => setLock(tables, id, (user) => user.lockedAt !== null, null, now)),
  admit: (id, version) =>
    run(({ users }) => {
      const user = users.get(id)
      return user !== undefined && user.version === version && mayLogIn(user)
    }),
  erase: (id, now) =>
    run(({ users, erasedUsers }) => {
      const user = users.get(id)
      if (user === undefined || erasedUsers.has(id)) return false
      const { createdAt, lockedAt, version, disabledAt } = user
      users.set(id, { ...blank(id), createdAt, lockedAt, version: version + 1, disabledAt: disabledAt ?? now, updatedAt: now })
      erasedUsers.set(id, true)
      return true
    }),
  upgradePasswordHash: (id, from, to) =>
    run(({ users }) => {
      replaceWhere(
        users,
        id,
        (user) => user.passwordHash === from,
        (user) => ({ ...user, passwordHash: to }),
      )
    }),
})
