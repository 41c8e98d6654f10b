import type { UserStore } from '../../../identity/users/store.ts'
import type { User } from '../../../identity/users/user.ts'
import { insert, type Run, replaceWhere, type Tables } from '../tables.ts'

const someUser = ({ users }: Tables, condition: (user: User) => boolean): User | undefined => [...users.values()].find(condition)

export const memoryUsers = (run: Run): UserStore => ({
  create: (user) =>
    run((tables) => {
      if (someUser(tables, ({ email }) => email === user.email)) return undefined
      if (user.directoryId !== null && someUser(tables, ({ directoryId }) => directoryId === user.directoryId)) return undefined
      tables.lastUserId += 1
      const created: User = { ...user, id: tables.lastUserId, version: 1, disabledAt: null, updatedAt: user.createdAt }
      insert(tables.users, created.id, created)
      return created
    }),
  byId: (id) => run(({ users }) => users.get(id)),
  byEmail: (email) => run((tables) => someUser(tables, (user) => user.email === email)),
  byDirectoryId: (id) => run((tables) => someUser(tables, ({ directoryId }) => directoryId === id)),
  contacts: (ids) =>
    run(({ users }) =>
      [...users.values()].filter(({ id }) => ids.includes(id)).map(({ id, name, email }) => ({ id, name, email })),
    ),
  list: ({ afterId, limit }) =>
    run(({ users }) =>
      [...users.values()]
        .filter(({ id }) => id > afterId)
        .sort((a, b) => a.id - b.id)
        .slice(0, limit),
    ),
  change: (id, version, change, now) =>
    run((tables) => {
      if (someUser(tables, (user) => user.email === change.email && user.id !== id)) return undefined
      return replaceWhere(
        tables.users,
        id,
        (user) => user.version === version,
        (user) => ({ ...user, ...change, version: version + 1, updatedAt: now }),
      )
    }),
  admit: (id, version) =>
    run(({ users }) => {
      const user = users.get(id)
      return user !== undefined && user.version === version && user.disabledAt === null
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
