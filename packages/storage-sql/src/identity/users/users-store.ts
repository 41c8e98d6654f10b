import { fold, type Instant, type NewUser, type User, type UserChange, type UserStore } from '@countersign/core/storage'
import type { ExpressionBuilder } from 'kysely'
import { countOf, type Database, none, type Query, readAll, readFirst } from '../../shared/database.ts'
import { preparedQuery } from '../../shared/prepared-query.ts'
import { recordChanges } from '../../shared/record-changes.ts'
import type { Tables } from '../../tables/index.ts'
import { approvers } from './approvers.ts'
import { eraseUser } from './erase-user.ts'
import { known, matching } from './matching-users.ts'
import { addHolders, changeHolder } from './permission-holders.ts'
import { userColumns as columns, fromDepartment, fromEmployee, toUser } from './user-row.ts'

const newRow = (user: NewUser) => ({
  directory_id: user.directoryId,
  email: user.email,
  name: user.name,
  folded_name: fold(user.name),
  ...fromEmployee(user.employee),
  ...fromDepartment(user.department),
  permissions: JSON.stringify(user.permissions),
  password_hash: user.passwordHash,
  version: 1,
  created_at: user.createdAt,
  updated_at: user.createdAt,
})

/** Returns the columns for the given fields of a change. Kysely leaves out a column that is `undefined`. */
const toColumns = ({ email, name, employee, department, permissions, passwordHash, disabledAt }: UserChange) => ({
  email,
  name,
  folded_name: name === undefined ? undefined : fold(name),
  ...(employee && fromEmployee(employee)),
  ...(department && fromDepartment(department)),
  permissions: permissions && JSON.stringify(permissions),
  password_hash: passwordHash,
  disabled_at: disabledAt,
})

/** Returns the condition that no other user has the email. If two users take it concurrently, the unique index refuses one. */
const hasNoOther = (id: number, email: string) => (part: ExpressionBuilder<Tables, 'users'>) =>
  none(part.selectFrom('users as other').select('other.id').where('other.email', '=', email).where('other.id', '!=', id))

const byId = preparedQuery((db, { id }: { readonly id: number }) => known(db).select(columns).where('id', '=', id), toUser)

const byEmail = preparedQuery(
  (db, { email }: { readonly email: string }) => known(db).select(columns).where('email', '=', email),
  toUser,
)

const hashFrom = preparedQuery((db, { id }: { readonly id: number }) =>
  db
    .selectFrom('users')
    .select((the) => [
      'password_hash',
      the
        .selectFrom('users as all')
        .select((all) => all.fn.max('all.id').as('id'))
        .as('last_id'),
    ])
    .where('id', '>=', id)
    .orderBy('id')
    .limit(1),
)

const admit = preparedQuery((db, { id, version }: Pick<User, 'id' | 'version'>, { lockForShare }) =>
  lockForShare(
    db
      .selectFrom('users')
      .select('id')
      .where('id', '=', id)
      .where('version', '=', version)
      .where('disabled_at', 'is', null)
      .where('locked_at', 'is', null),
  ),
)

/** Changes a user, and reports the change to every process. `undefined` if no user was changed. */
const changeUser = (
  database: Database,
  now: Instant,
  update: Query<readonly Parameters<typeof toUser>[0][]>,
  { changesHolder }: { readonly changesHolder: boolean },
): Promise<User | undefined> =>
  database.transaction(async (tx) => {
    const [row] = await tx.write(update)
    if (row === undefined) return undefined
    if (changesHolder) await changeHolder(tx, row)
    await recordChanges(tx, [{ kind: 'user', subject: String(row.id) }], now)
    return toUser(row)
  })

/** Adds the users whose email and directory id are free. */
const create = async (database: Database, users: readonly NewUser[]): Promise<readonly User[]> => {
  if (users.length === 0) return []
  return database.transaction(async (tx) => {
    const rows = await tx.write((db) =>
      db
        .insertInto('users')
        .values(users.map(newRow))
        .onConflict((conflict) => conflict.doNothing())
        .returning(columns),
    )
    await addHolders(tx, rows)
    return rows.map(toUser)
  })
}

export const usersStore = (database: Database): UserStore => ({
  create: (users) => create(database, users),

  byId: (id) => byId.first(database, { id }),

  byEmail: (email) => byEmail.first(database, { email }),

  byDirectoryId: (directoryId) =>
    readFirst(database, toUser, (db) => known(db).select(columns).where('directory_id', '=', directoryId)),

  hashFrom: async (id) => {
    const row = await hashFrom.first(database, { id })
    return row && { passwordHash: row.password_hash, lastId: Number(row.last_id) }
  },

  list: async ({ afterId, limit, ...query }) => {
    if (query.ids?.length === 0 || query.emails?.length === 0) return []
    return readAll(database, toUser, (db) => matching(db, query, afterId).select(columns).orderBy('id').limit(limit))
  },

  count: (query) => countOf(database, (db) => matching(db, query)),

  approvers: (query) => approvers(database, query),

  change: (id, version, change, now) =>
    changeUser(
      database,
      now,
      (db) =>
        db
          .updateTable('users')
          .set({ version: version + 1, updated_at: now, ...toColumns(change) })
          .where('id', '=', id)
          .where('version', '=', version)
          .where('erased_at', 'is', null)
          .$if(change.email !== undefined, (query) => query.where(hasNoOther(id, change.email ?? '')))
          .returning(columns),
      { changesHolder: change.permissions !== undefined || change.disabledAt !== undefined },
    ),

  setLock: (id, lockedAt, now) =>
    changeUser(
      database,
      now,
      (db) =>
        db
          .updateTable('users')
          .set((the) => ({ locked_at: lockedAt, version: the('version', '+', 1), updated_at: now }))
          .where('id', '=', id)
          .where('locked_at', lockedAt === null ? 'is not' : 'is', null)
          .where('erased_at', 'is', null)
          .returning(columns),
      { changesHolder: true },
    ),

  admit: (id, version) => admit.finds(database, { id, version }),

  erase: (id, now) => eraseUser(database, id, now),

  upgradePasswordHash: async (id, from, to) => {
    await database.write((db) =>
      db.updateTable('users').set({ password_hash: to }).where('id', '=', id).where('password_hash', '=', from),
    )
  },
})
