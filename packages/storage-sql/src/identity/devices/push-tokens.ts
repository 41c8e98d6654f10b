import type { DeviceStore } from '@countersign/core/storage'
import { type SqlBool, sql } from 'kysely'
import { type Database, didWrite, none } from '../../shared/database.ts'
import { toBound } from '../../shared/record-mapping.ts'
import { updateActive, withoutPushToken } from './active-devices.ts'

/** The condition that another device of the same user has another bound: one phone that is registered for several customers. */
const isSamePhone = sql<SqlBool>`${sql.ref('taker.user_id')} = ${sql.ref('devices.user_id')}
  and coalesce(${sql.ref('taker.tenants')}, '') <> coalesce(${sql.ref('devices.tenants')}, '')`

export const pushTokens = (database: Database): Pick<DeviceStore, 'setPushToken' | 'takePushToken' | 'forgetPushToken'> => ({
  setPushToken: (userId, deviceId, pushToken, now) => {
    const token = { push_token: pushToken?.sealed ?? null, push_token_digest: pushToken?.digest ?? null }
    return didWrite(database, (db) => updateActive(db, userId, deviceId).set({ ...token, updated_at: now }))
  },

  takePushToken: async (digest, deviceId, now) => {
    const lock = database.locks.lockName?.(sql`${`push_token ${digest}`}::text`)
    if (lock !== undefined) await database.read((db) => db.selectNoFrom(lock.as('turn')))
    const losers = await database.read((db) =>
      db
        .selectFrom('devices')
        .select(['id', 'user_id as userId', 'tenants', 'push_token as pushToken'])
        .where('push_token_digest', '=', digest)
        .where('id', '<>', deviceId)
        .where('removed_at', 'is', null)
        .where((the) =>
          none(the.selectFrom('devices as taker').select('taker.id').where('taker.id', '=', deviceId).where(isSamePhone)),
        ),
    )
    if (losers.length === 0) return []
    const ids = losers.map(({ id }) => id)
    await database.write((db) =>
      db
        .updateTable('devices')
        .set({ ...withoutPushToken, updated_at: now })
        .where('id', 'in', ids)
        .where('push_token_digest', '=', digest),
    )
    return losers.map((device) => ({ ...device, tenants: toBound(device.tenants) }))
  },

  forgetPushToken: (deviceId, pushToken, now) =>
    didWrite(database, (db) =>
      db
        .updateTable('devices')
        .set({ ...withoutPushToken, updated_at: now })
        .where('id', '=', deviceId)
        .where('push_token', '=', pushToken),
    ),
})
