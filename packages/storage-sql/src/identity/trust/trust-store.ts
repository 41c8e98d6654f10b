import type { TrustStore } from '@countersign/core/storage'
import type { EnrolmentQuestion, Instant, Registrations } from '@countersign/core/types'
import type { ExpressionBuilder, Kysely } from 'kysely'
import { type Database, didWrite } from '../../shared/database.ts'
import type { DialectFeatures } from '../../shared/dialect-features.ts'
import { preparedQuery } from '../../shared/prepared-query.ts'
import type { Tables } from '../../tables/index.ts'
import { active, updateActive, withoutPushToken } from '../devices/active-devices.ts'
import { keepRemovedKeys } from '../passkeys-store.ts'
import { isEndedByOthers, liveSession } from '../sessions/live-session.ts'
import { toHostSignIn } from '../sessions/sessions-store.ts'
import { lockUser } from '../users/lock-user.ts'
import { noteApprover } from '../users/permission-holders.ts'
import { cancelCoolingOff, recordTrustChange } from './cooling-off.ts'

/** The most keys in one statement, because databases limit the number of parameters. */
const MOST_KEYS = 1000

const registeringSession = preparedQuery((db, question: Pick<EnrolmentQuestion, 'userId' | 'sessionId'>) =>
  liveSession(db, question)
    .leftJoin('devices', (join) => join.onRef('devices.id', '=', 'sessions.device_id').on('devices.removed_at', 'is', null))
    .leftJoin('passkeys', (join) =>
      join.onRef('passkeys.user_id', '=', 'sessions.user_id').onRef('passkeys.id', '=', 'sessions.passkey_id'),
    )
    .select([
      'sessions.auth_method',
      'sessions.user_verified',
      'sessions.created_at',
      'sessions.host_method',
      'sessions.signed_in_at',
      'sessions.opened_by',
      'users.password_hash',
      'users.trusted_passkey_removed_at',
      'devices.trusted_at as device_trusted_at',
      'passkeys.trusted_at as passkey_trusted_at',
    ]),
)

const trustedDevice = preparedQuery((db, { userId, now }: Pick<EnrolmentQuestion, 'userId' | 'now'>) =>
  active(db).select('id').where('user_id', '=', userId).where('trusted_at', '<=', now).limit(1),
)

const trustedPasskey = preparedQuery((db, { userId, now }: Pick<EnrolmentQuestion, 'userId' | 'now'>) =>
  db.selectFrom('passkeys').select('id').where('user_id', '=', userId).where('trusted_at', '<=', now).limit(1),
)

const trustedDeviceRemovedSince = preparedQuery(
  (db, { userId, rememberedSince }: Pick<EnrolmentQuestion, 'userId' | 'rememberedSince'>) =>
    db
      .selectFrom('devices')
      .select('id')
      .where('user_id', '=', userId)
      .where('removed_at', 'is not', null)
      .where('removed_at', '>=', rememberedSince)
      .whereRef('trusted_at', '<=', 'removed_at')
      .limit(1),
)

const deviceCoolingOff = preparedQuery((db, { userId, now }: Pick<EnrolmentQuestion, 'userId' | 'now'>) =>
  active(db).select('id').where('user_id', '=', userId).where('cooling_off', '=', 1).where('trusted_at', '>', now).limit(1),
)

const passkeyCoolingOff = preparedQuery((db, { userId, now }: Pick<EnrolmentQuestion, 'userId' | 'now'>) =>
  db
    .selectFrom('passkeys')
    .select('id')
    .where('user_id', '=', userId)
    .where('cooling_off', '=', 1)
    .where('trusted_at', '>', now)
    .limit(1),
)

interface Removal {
  readonly userId: number
  readonly now: Instant
  readonly registrations: Registrations | undefined
}

/** The devices or passkeys on probation of a user, by the sessions that registered them. See `Registrations`. */
const onProbation =
  (db: Kysely<Tables>, { userId, now, registrations }: Removal) =>
  (the: ExpressionBuilder<Tables, 'devices' | 'passkeys'>) => {
    const ofUser = the.and([the('user_id', '=', userId), the.or([the('trusted_at', 'is', null), the('trusted_at', '>', now)])])
    return registrations === undefined ? ofUser : ofUser.and(isEndedByOthers(db, the.ref('registered_by')))
  }

export const trustStore = (database: Database, features: DialectFeatures): TrustStore => {
  /**
   * Runs a statement that makes one device or passkey trusted. In the same transaction, ends the cooling-off period of another one,
   * and reports the change to every process.
   */
  const trusting = (userId: number, now: Instant, trustOne: Parameters<typeof didWrite>[1]): Promise<boolean> =>
    database.transaction(async (tx) => {
      await lockUser(tx, features, userId)
      if (!(await didWrite(tx, trustOne))) return false
      await cancelCoolingOff(tx, userId, now)
      await noteApprover(tx, userId)
      await recordTrustChange(tx, userId, now)
      return true
    })

  return {
    enrolmentFacts: (question) =>
      database.transaction(async (tx) => {
        await lockUser(tx, features, question.userId)
        const { userId, now } = question
        const session = await tx.read((db) => registeringSession.first(db, question))
        if (session === undefined) return undefined
        const isTrue = async (query: typeof trustedDevice) =>
          (await tx.read((db) => query.first(db, { userId, now }))) !== undefined
        const removedLately = await tx.read((db) => trustedDeviceRemovedSince.first(db, question))
        return {
          session: {
            authMethod: session.auth_method,
            userVerified: session.user_verified === 1,
            createdAt: session.created_at,
            host: toHostSignIn(session),
            trustedAt: session.device_trusted_at ?? session.passkey_trusted_at,
          },
          hasTrustedDevice: removedLately !== undefined || (await isTrue(trustedDevice)),
          hasTrustedPasskey:
            (session.trusted_passkey_removed_at ?? Number.NEGATIVE_INFINITY) >= question.rememberedSince ||
            (await isTrue(trustedPasskey)),
          hasPassword: session.password_hash !== null,
          hasCoolingOff: (await isTrue(deviceCoolingOff)) || (await isTrue(passkeyCoolingOff)),
        }
      }),

    lock: (userId) => lockUser(database, features, userId),

    trustDevice: (userId, deviceId, now) =>
      trusting(userId, now, (db) =>
        updateActive(db, userId, deviceId)
          .where((the) => the.or([the('trusted_at', 'is', null), the('trusted_at', '>', now)]))
          .set({ trusted_at: now, cooling_off: 0 }),
      ),

    trustPasskey: (userId, passkeyId, now) =>
      trusting(userId, now, (db) =>
        db
          .updateTable('passkeys')
          .where('user_id', '=', userId)
          .where('id', '=', passkeyId)
          .where((the) => the.or([the('trusted_at', 'is', null), the('trusted_at', '>', now)]))
          .set({ trusted_at: now, cooling_off: 0 }),
      ),

    removeOnProbation: (userId, now, registrations) =>
      database.transaction(async (tx) => {
        await lockUser(tx, features, userId)
        const removal = { userId, now, registrations }
        const devices = await tx.write((db) =>
          db
            .updateTable('devices')
            .where('removed_at', 'is', null)
            .where(onProbation(db, removal))
            .set({ removed_at: now, ...withoutPushToken, updated_at: now })
            .returning('id')
            .execute(),
        )
        const passkeys = await tx.write((db) =>
          db.deleteFrom('passkeys').where(onProbation(db, removal)).returning(['id', 'user_id', 'spki']).execute(),
        )
        await keepRemovedKeys(tx, passkeys, now)
        if (devices.length + passkeys.length > 0) {
          await noteApprover(tx, userId)
          await recordTrustChange(tx, userId, now)
        }
        return { devices: devices.map(({ id }) => id), passkeys: passkeys.map(({ id }) => id) }
      }),

    keysHeld: async (userId, among) => {
      const held = new Set<string>()
      for (let from = 0; from < among.length; from += MOST_KEYS) {
        const part = among.slice(from, from + MOST_KEYS)
        const rows = await database.read((db) => {
          const ofPasskeys = (table: 'passkeys' | 'removed_passkeys') =>
            db.selectFrom(table).select('spki as public_key').where('user_id', '=', userId).where('spki', 'in', part)
          return db
            .selectFrom('devices')
            .select('public_key')
            .where('user_id', '=', userId)
            .where('public_key', 'in', part)
            .union(ofPasskeys('passkeys'))
            .union(ofPasskeys('removed_passkeys'))
            .execute()
        })
        for (const row of rows) held.add(row.public_key)
      }
      return [...held]
    },
  }
}
