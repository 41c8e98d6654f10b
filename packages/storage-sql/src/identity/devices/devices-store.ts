import { boundText, type Device, type DeviceStore } from '@countersign/core/storage'
import type { Kysely } from 'kysely'
import { type Database, didWrite, readAll, readFirst } from '../../shared/database.ts'
import { onPage } from '../../shared/list-page.ts'
import { preparedQuery } from '../../shared/prepared-query.ts'
import { recordMapping } from '../../shared/record-mapping.ts'
import type { Row, Tables } from '../../tables/index.ts'
import { lockLiveSession } from '../sessions/live-session.ts'
import { cancelCoolingOffOfOthers, coolingOffFlag } from '../trust/cooling-off.ts'
import { lockUser } from '../users/lock-user.ts'
import { noteApprover } from '../users/permission-holders.ts'
import { active, updateActive, useDevice, withoutPushToken } from './active-devices.ts'
import { pushTokens } from './push-tokens.ts'
import { readEvidence, storeEvidence } from './registration-evidence.ts'

const MOST_WITH_FINGERPRINT = 100

const {
  columns,
  toRecord: toDevice,
  toRow,
} = recordMapping(
  'devices',
  'id userId deviceName=name deviceType=type deviceFingerprint=fingerprint publicKey keyAlgorithm pushToken lastUsedAt',
  'createdAt updatedAt trustedAt registeredWith tenants:bound',
)

const toPagedDevice = (row: Parameters<typeof toDevice>[0] & Pick<Row<'devices'>, 'removed_at'>) => {
  return { ...toDevice(row), removedAt: row.removed_at }
}

interface OfUser {
  readonly userId: number
  readonly deviceId: string
}

const selectOfUser = (db: Kysely<Tables>, { userId, deviceId }: OfUser) =>
  active(db).select(columns).where('id', '=', deviceId).where('user_id', '=', userId)

const ofUser = preparedQuery((db, device: OfUser) => selectOfUser(db, device), toDevice)

const lockOfUser = preparedQuery((db, device: OfUser, { lockForUpdate }) => lockForUpdate(selectOfUser(db, device)), toDevice)

const withFingerprint = preparedQuery(
  (db, { fingerprint }: { readonly fingerprint: string }) =>
    active(db)
      .select(columns)
      .where('fingerprint', '=', fingerprint)
      .orderBy('last_used_at', (order) => order.desc().nullsLast())
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(MOST_WITH_FINGERPRINT),
  toDevice,
)

const allOfUser = preparedQuery(
  (db, { userId }: { readonly userId: number }) =>
    active(db).select(columns).where('user_id', '=', userId).orderBy('created_at').orderBy('id'),
  toDevice,
)

/** The number of the user's devices with the bound of a new device, and whether one of them has its fingerprint. */
const readRegistrationState = async (database: Database, { userId, deviceFingerprint, tenants = null }: Device) => {
  const { devices, same } = await database.read((db) =>
    active(db)
      .where('user_id', '=', userId)
      .where('tenants', tenants === null ? 'is' : '=', boundText(tenants))
      .select((the) => [
        the.fn.countAll<number>().as('devices'),
        the.fn.count<number>(the.case().when('fingerprint', '=', deviceFingerprint).then(1).end()).as('same'),
      ])
      .executeTakeFirstOrThrow(),
  )
  return { fingerprintTaken: same > 0, devices }
}

export const devicesStore = (database: Database): DeviceStore => ({
  register: (device, sessionId, limit, evidence) =>
    database.transaction(async (tx) => {
      await lockUser(tx, device.userId)
      if (!(await lockLiveSession.finds(tx, { sessionId, userId: device.userId }))) return 'session_ended'
      const { fingerprintTaken, devices } = await readRegistrationState(tx, device)
      if (fingerprintTaken) return 'fingerprint_taken'
      if (devices >= limit) return 'too_many'
      const [added] = await tx.write((db) =>
        db
          .insertInto('devices')
          .values({
            ...toRow(device),
            push_token_digest: null,
            cooling_off: coolingOffFlag(device),
            registered_by: sessionId,
          })
          .onConflict((conflict) => conflict.doNothing())
          .returning('id'),
      )
      if (added === undefined) return 'fingerprint_taken'
      await cancelCoolingOffOfOthers(tx, device)
      if (device.trustedAt !== null) await noteApprover(tx, device.userId)
      if (evidence !== undefined) await storeEvidence(tx, evidence)
      return 'registered'
    }),

  ofUser: (userId, deviceId) => ofUser.first(database, { userId, deviceId }),

  evidenceOf: (userId, deviceId) => readEvidence(database, userId, deviceId),

  byId: (deviceId) => readFirst(database, toDevice, (db) => active(db).select(columns).where('id', '=', deviceId)),

  allOfUser: (userId) => allOfUser.all(database, { userId }),

  removedOfUser: (userId) =>
    readAll(database, toPagedDevice, (db) =>
      db
        .selectFrom('devices')
        .select([...columns, 'removed_at'])
        .where('user_id', '=', userId)
        .where('removed_at', 'is not', null)
        .orderBy('created_at')
        .orderBy('id'),
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
      ),
    ),

  withFingerprint: (fingerprint) => withFingerprint.all(database, { fingerprint }),

  use: async (userId, deviceId, now) => (await useDevice.affected(database, { userId, deviceId, now })) > 0,

  lock: (userId, deviceId) => lockOfUser.first(database, { userId, deviceId }),

  ...pushTokens(database),

  remove: (userId, deviceId, now) =>
    database.transaction(async (tx) => {
      await lockUser(tx, userId)
      const removed = await didWrite(tx, (db) =>
        updateActive(db, userId, deviceId).set({ removed_at: now, ...withoutPushToken, updated_at: now }),
      )
      await noteApprover(tx, userId)
      return removed
    }),
})
