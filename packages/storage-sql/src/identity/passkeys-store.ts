import { boundText, type Instant, type Passkey, type PasskeyStore } from '@countersign/core/storage'
import type { ExpressionBuilder, Kysely } from 'kysely'
import { countOf, type Database, didWrite, finds, readAll } from '../shared/database.ts'
import { preparedQuery } from '../shared/prepared-query.ts'
import { recordMapping } from '../shared/record-mapping.ts'
import type { Row, Tables } from '../tables/index.ts'
import { boundKey } from './bound.ts'
import { passkeyPushTokens, removePushTokens } from './passkey-push-tokens.ts'
import { lockLiveSession } from './sessions/live-session.ts'
import { cancelCoolingOffOfOthers, coolingOffFlag } from './trust/cooling-off.ts'
import { lockUser } from './users/lock-user.ts'
import { noteApprover } from './users/permission-holders.ts'

const {
  columns,
  toRecord: toPasskey,
  toRow,
} = recordMapping(
  'passkeys',
  'id userId userHandle publicKey spki algorithm signCount transports:texts backupEligible:flag backedUp:flag aaguid',
  'discoverable:flag name createdAt lastUsedAt trustedAt tenants:bound',
)

/** Random ids never collide, but an attacker may register one id for many accounts. The limit keeps lookups fast. */
const MOST_WITH_ID = 100

/** The condition that a counter rises. A counter of 0 means that the authenticator does not count: then both are 0. */
export const counterRises = (the: ExpressionBuilder<Tables, 'passkeys'>, signCount: number) =>
  the.or([the('sign_count', '<', signCount), the.and([the('sign_count', '=', signCount), the('sign_count', '=', 0)])])

export const lockPasskey = preparedQuery(
  (db, { userId, id }: Pick<Passkey, 'userId' | 'id'>, { lockForUpdate }) =>
    lockForUpdate(db.selectFrom('passkeys').select(columns).where('user_id', '=', userId).where('id', '=', id)),
  toPasskey,
)

/** The tables with keys of passkeys. The type names the first table only, because Kysely accepts no union of tables. */
export const ownPasskeys = ['passkeys as own', 'removed_passkeys as own'] as readonly string[] as readonly 'passkeys as own'[]

/** Keeps the keys of passkeys of one user that were just removed, and removes their push tokens. */
export const keepRemovedKeys = async (
  tx: Database,
  removed: readonly Pick<Row<'passkeys'>, 'id' | 'user_id' | 'spki' | 'tenants' | 'trusted_at'>[],
  now: Instant,
): Promise<void> => {
  const rows = removed.map(({ user_id, spki, tenants, trusted_at }) => {
    return { user_id, spki, trusted_for: trusted_at !== null && trusted_at <= now ? tenants : null, removed_at: now }
  })
  if (removed[0] === undefined) return
  const ids = removed.map(({ id }) => id)
  await removePushTokens(tx, removed[0].user_id, ids)
  await tx.write((db) =>
    db
      .insertInto('removed_passkeys')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'spki'])
          .doUpdateSet((the) => ({ trusted_for: the.ref('excluded.trusted_for'), removed_at: now })),
      ),
  )
}

export const passkeysStore = (database: Database): PasskeyStore => ({
  userHandle: async (userId, fresh, tenants = null) => {
    const { handle } = await database.write((db) =>
      db
        .insertInto('user_handles')
        .values({ user_id: userId, tenants: boundKey(boundText(tenants)), handle: fresh })
        // Changes nothing, but makes `returning` include an existing row.
        .onConflict((conflict) => conflict.columns(['user_id', 'tenants']).doUpdateSet({ user_id: userId }))
        .returning('handle')
        .executeTakeFirstOrThrow(),
    )
    return handle
  },

  register: (passkey, sessionId, limit) =>
    database.transaction(async (tx) => {
      await lockUser(tx, passkey.userId)
      if (!(await lockLiveSession.finds(tx, { sessionId, userId: passkey.userId }))) return 'session_ended'
      const own = (db: Kysely<Tables>) => db.selectFrom('passkeys').where('user_id', '=', passkey.userId)
      if (await finds(tx, (db) => own(db).select('id').where('id', '=', passkey.id))) return 'known'
      const tenants = boundText(passkey.tenants)
      const alike = (db: Kysely<Tables>) => own(db).where('tenants', tenants === null ? 'is' : '=', tenants)
      if ((await countOf(tx, alike)) >= limit) return 'too_many'
      const [added] = await tx.write((db) =>
        db
          .insertInto('passkeys')
          .values({ ...toRow(passkey), cooling_off: coolingOffFlag(passkey), registered_by: sessionId })
          .onConflict((conflict) => conflict.columns(['user_id', 'id']).doNothing())
          .returning('id'),
      )
      if (added === undefined) return 'known'
      await cancelCoolingOffOfOthers(tx, passkey)
      if (passkey.trustedAt !== null) await noteApprover(tx, passkey.userId)
      return 'registered'
    }),

  withId: (id) =>
    readAll(database, toPasskey, (db) =>
      db.selectFrom('passkeys').select(columns).where('id', '=', id).orderBy('created_at').orderBy('user_id').limit(MOST_WITH_ID),
    ),

  allOfUser: (userId) =>
    readAll(database, toPasskey, (db) =>
      db.selectFrom('passkeys').select(columns).where('user_id', '=', userId).orderBy('created_at').orderBy('id'),
    ),

  removedOfUser: (userId) =>
    database.read((db) =>
      db
        .selectFrom('removed_passkeys')
        .select(['spki', 'removed_at as removedAt'])
        .where('user_id', '=', userId)
        .orderBy('removed_at'),
    ),

  ...passkeyPushTokens(database),

  lock: (userId, id) => lockPasskey.first(database, { userId, id }),

  use: ({ userId, id, signCount, backedUp, now }) =>
    didWrite(database, (db) =>
      db
        .updateTable('passkeys')
        .set({ sign_count: signCount, backed_up: backedUp ? 1 : 0, last_used_at: now })
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .where((the) => counterRises(the, signCount)),
    ),

  rename: async (userId, id, name) => {
    const [row] = await database.write((db) =>
      db.updateTable('passkeys').set({ name }).where('id', '=', id).where('user_id', '=', userId).returning(columns),
    )
    return row && toPasskey(row)
  },

  remove: (userId, id, now) =>
    database.transaction(async (tx) => {
      await lockUser(tx, userId)
      const [removed] = await tx.write((db) =>
        db
          .deleteFrom('passkeys')
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .returning(['id', 'user_id', 'spki', 'tenants', 'trusted_at']),
      )
      if (removed === undefined) return false
      await keepRemovedKeys(tx, [removed], now)
      await noteApprover(tx, userId)
      if (removed.tenants === null && removed.trusted_at !== null && removed.trusted_at <= now) {
        await tx.write((db) => db.updateTable('users').set({ trusted_passkey_removed_at: now }).where('id', '=', userId))
      }
      return true
    }),
})
