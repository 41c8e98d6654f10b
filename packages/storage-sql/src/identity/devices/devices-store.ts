import { type Bound, boundText, type Device, type DeviceStore } from '@countersign/core/storage'
import type { Selectable } from 'kysely'
import { type Database, didWrite, readAll, readFirst } from '../../shared/database.ts'
import type { DialectFeatures } from '../../shared/dialect-features.ts'
import { onPage } from '../../shared/list-page.ts'
import { preparedQuery } from '../../shared/prepared-query.ts'
import { recordMapping } from '../../shared/record-mapping.ts'
import type { DevicesTable } from '../../tables/index.ts'
import { toBound } from '../bound.ts'
import { lockLiveSession } from '../sessions/live-session.ts'
import { cancelCoolingOffOfOthers, coolingOffFlag } from '../trust/cooling-off.ts'
import { lockUser } from '../users/lock-user.ts'
import { noteApprover } from '../users/permission-holders.ts'
import { active, updateActive, useDevice, withoutPushToken } from './active-devices.ts'
import { pushTokens } from './push-tokens.ts'
import { readEvidence, storeEvidence } from './registration-evidence.ts'

const MOST_WITH_FINGERPRINT = 100

const mapping = recordMapping(
  'id userId deviceName=name deviceType=type deviceFingerprint=fingerprint publicKey keyAlgorithm pushToken lastUsedAt',
  'createdAt updatedAt trustedAt registeredWith',
)
const columns = [...mapping.columns, 'tenants'] as const

type Row = Pick<Selectable<DevicesTable>, (typeof columns)[number]>
const toDevice = (row: Row): Device => ({ ...mapping.toRecord(row), tenants: toBound(row.tenants) })
const toPagedDevice = (row: Row & Pick<DevicesTable, 'removed_at'>) => ({ ...toDevice(row), removedAt: row.removed_at })

const ofUser = preparedQuery((db, { userId, deviceId }: { readonly userId: number; readonly deviceId: string }) =>
  active(db).select(columns).where('id', '=', deviceId).where('user_id', '=', userId),
)

const lockOfUser = preparedQuery(
  (db, { userId, deviceId }: { readonly userId: number; readonly deviceId: string }, { lockForUpdate }: DialectFeatures) =>
    lockForUpdate(active(db).select(columns).where('id', '=', deviceId).where('user_id', '=', userId)),
)

const withFingerprint = preparedQuery((db, { fingerprint }: { readonly fingerprint: string }) =>
  active(db)
    .select(columns)
    .where('fingerprint', '=', fingerprint)
    .orderBy('last_used_at', (order) => order.desc().nullsLast())
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_WITH_FINGERPRINT),
)

const allOfUser = preparedQuery((db, { userId }: { readonly userId: number }) =>
  active(db).select(columns).where('user_id', '=', userId).orderBy('created_at').orderBy('id'),
)

/** The number of the user's devices with a bound, and whether one of them has the fingerprint. */
const readRegistrationState = async (database: Database, userId: number, fingerprint: string, tenants: Bound = null) => {
  const { devices, same } = await database.read((db) =>
    active(db)
      .where('user_id', '=', userId)
      .where('tenants', tenants === null ? 'is' : '=', boundText(tenants))
      .select((the) => [
        the.fn.countAll<number>().as('devices'),
        the.fn.count<number>(the.case().when('fingerprint', '=', fingerprint).then(1).end()).as('same'),
      ])
      .executeTakeFirstOrThrow(),
  )
  return { fingerprintTaken: same > 0, devices }
}

export const devicesStore = (database: Database, features: DialectFeatures): DeviceStore => ({
  register: (device, sessionId, limit, evidence) =>
    database.transaction(async (tx) => {
      await lockUser(tx, features, device.userId)
      if (!(await lockLiveSession(tx, features, { sessionId, userId: device.userId }))) return 'session_ended'
      const { fingerprintTaken, devices } = await readRegistrationState(
        tx,
        device.userId,
        device.deviceFingerprint,
        device.tenants,
      )
      if (fingerprintTaken) return 'fingerprint_taken'
      if (devices >= limit) return 'too_many'
      const added = await tx.write((db) =>
        db
          .insertInto('devices')
          .values({
            ...mapping.toRow(device),
            tenants: boundText(device.tenants),
            push_token_digest: null,
            cooling_off: coolingOffFlag(device),
            registered_by: sessionId,
          })
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .executeTakeFirst(),
      )
      if (added === undefined) return 'fingerprint_taken'
      await cancelCoolingOffOfOthers(tx, device)
      if (device.trustedAt !== null) await noteApprover(tx, device.userId)
      if (evidence !== undefined) await storeEvidence(tx, evidence)
      return 'registered'
    }),

  ofUser: (userId, deviceId) => readFirst(database, toDevice, (db) => ofUser.first(db, { userId, deviceId })),

  evidenceOf: (userId, deviceId) => readEvidence(database, userId, deviceId),

  byId: (deviceId) =>
    readFirst(database, toDevice, (db) => active(db).select(columns).where('id', '=', deviceId).executeTakeFirst()),

  allOfUser: (userId) => readAll(database, toDevice, (db) => allOfUser.all(db, { userId })),

  removedOfUser: (userId) =>
    readAll(database, toPagedDevice, (db) =>
      db
        .selectFrom('devices')
        .select([...columns, 'removed_at'])
        .where('user_id', '=', userId)
        .where('removed_at', 'is not', null)
        .orderBy('created_at')
        .orderBy('id')
        .execute(),
    ),

  page: ({ removed, deviceType, ...page }) =>
    readAll(database, toPagedDevice, (db) =>
      onPage(
        db
          .selectFrom('devices')
          .select([...columns, 'removed_at'])
          .where('removed_at', removed ? 'is not' : 'is', null)
          .$if(deviceType !== undefined, (query) => query.where('type', '=', deviceType ?? 'mobile')),
        page,
      ).execute(),
    ),

  withFingerprint: (fingerprint) => readAll(database, toDevice, (db) => withFingerprint.all(db, { fingerprint })),

  use: async (userId, deviceId, now) => (await database.write((db) => useDevice.affected(db, { userId, deviceId, now }))) > 0,

  lock: (userId, deviceId) => readFirst(database, toDevice, (db) => lockOfUser.first(db, { userId, deviceId }, features)),

  ...pushTokens(database, features),

  remove: (userId, deviceId, now) =>
    database.transaction(async (tx) => {
      await lockUser(tx, features, userId)
      const removed = await didWrite(tx, (db) =>
        updateActive(db, userId, deviceId).set({ removed_at: now, ...withoutPushToken, updated_at: now }),
      )
      await noteApprover(tx, userId)
      return removed
    }),
})
