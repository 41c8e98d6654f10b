import type { Instant, Registrations, TrustStore } from '@countersign/core/storage'
import type { Kysely } from 'kysely'
import type { Database } from '../../shared/database.ts'
import type { Tables } from '../../tables/index.ts'
import { coversTenant } from '../bound.ts'
import { active, withoutPushToken } from '../devices/active-devices.ts'
import { keepRemovedKeys } from '../passkeys-store.ts'
import { isEndedByOthers } from '../sessions/live-session.ts'
import { lockUser } from '../users/lock-user.ts'
import { noteApprover } from '../users/permission-holders.ts'
import { cancelCoolingOff, endMailboxMark, recordTrustChange } from './cooling-off.ts'
import { hasAnySigner, readEnrolmentFacts, readMailboxMark, type Signers } from './enrolment-facts.ts'

/** The most keys in one statement, because databases limit the number of parameters. */
const MOST_KEYS = 1000

interface Removal {
  readonly userId: number
  readonly now: Instant
  readonly registrations: Registrations | undefined
}

/** The devices or passkeys on probation of a user, by the sessions that registered them. See `Registrations`. */
const onProbation =
  (db: Kysely<Tables>, { userId, now, registrations }: Removal) =>
  (the: Signers) => {
    const ofUser = the.and([the('user_id', '=', userId), the.or([the('trusted_at', 'is', null), the('trusted_at', '>', now)])])
    return registrations === undefined ? ofUser : ofUser.and(isEndedByOthers(db, the.ref('registered_by')))
  }

/** The condition that a device or passkey is not trusted yet, or that its bound is to end. */
const isChangedBy = (the: Signers, now: Instant, bound: 'ends' | undefined) =>
  the.or([
    the('trusted_at', 'is', null),
    the('trusted_at', '>', now),
    ...(bound === undefined ? [] : [the('tenants', 'is not', null)]),
  ])

/** The columns of a device or passkey that is trusted at `now` at the latest. */
const trustedColumns = (the: Signers, now: Instant, bound: 'ends' | undefined) => ({
  trusted_at: the.case().when('trusted_at', '<=', now).then(the.ref('trusted_at')).else(now).end(),
  cooling_off: 0 as const,
  ...(bound !== undefined && { tenants: null }),
})

export const trustStore = (database: Database): TrustStore => ({
  enrolmentFacts: (question) =>
    database.transaction(async (tx) => {
      await lockUser(tx, question.userId)
      return readEnrolmentFacts(tx, question)
    }),

  lock: (userId) => lockUser(database, userId),

  makeTrusted: ({ userId, kind, id }, now, bound) =>
    database.transaction(async (tx) => {
      await lockUser(tx, userId)
      const table = kind === 'device' ? 'devices' : 'passkeys'
      const [trusted] = await tx.write((db) =>
        db
          .updateTable(table as 'devices')
          .where('user_id', '=', userId)
          .where('id', '=', id)
          .$if(kind === 'device', (devices) => devices.where('removed_at', 'is', null))
          .where((the) => isChangedBy(the, now, bound))
          .set((the) => trustedColumns(the, now, bound))
          .returning('tenants'),
      )
      if (trusted === undefined) return false
      const { tenants } = trusted
      if (tenants === null) {
        await tx.write((db) =>
          db
            .updateTable('sessions')
            .set({ tenants })
            .where('user_id', '=', userId)
            .where(kind === 'device' ? 'device_id' : 'passkey_id', '=', id)
            .where('ended_at', 'is', null)
            .where('tenants', 'is not', null),
        )
      }
      // Also ends the cooling-off period of another device or passkey.
      await cancelCoolingOff(tx, userId, tenants, now)
      await noteApprover(tx, userId)
      await recordTrustChange(tx, userId, now)
      return true
    }),

  trustedKeysOf: async ({ userIds, now, tenant, passkeys, approverDevices }) => {
    if (userIds.length === 0) return []
    return database.read((db) =>
      active(db)
        .select(['user_id as userId', 'public_key as publicKey'])
        .where('user_id', 'in', userIds)
        .where('trusted_at', '<=', now)
        .where((the) => coversTenant(the.ref('tenants'), tenant))
        .$if(!approverDevices, (keys) => keys.where('registered_with', 'is', null))
        .$if(passkeys, (keys) =>
          keys.unionAll(
            db
              .selectFrom('passkeys')
              .select(['user_id as userId', 'spki as publicKey'])
              .where('user_id', 'in', userIds)
              .where('trusted_at', '<=', now)
              .where((the) => coversTenant(the.ref('tenants'), tenant)),
          ),
        ),
    )
  },

  removeOnProbation: (userId, now, registrations) =>
    database.transaction(async (tx) => {
      await lockUser(tx, userId)
      const removal = { userId, now, registrations }
      const devices = await tx.write((db) =>
        db
          .updateTable('devices')
          .where('removed_at', 'is', null)
          .where(onProbation(db, removal))
          .set({ removed_at: now, ...withoutPushToken, updated_at: now })
          .returning('id'),
      )
      const passkeys = await tx.write((db) =>
        db.deleteFrom('passkeys').where(onProbation(db, removal)).returning(['id', 'user_id', 'spki', 'tenants', 'trusted_at']),
      )
      await keepRemovedKeys(tx, passkeys, now)
      if (devices.length + passkeys.length > 0) {
        await noteApprover(tx, userId)
        await recordTrustChange(tx, userId, now)
      }
      return { devices: devices.map(({ id }) => id), passkeys: passkeys.map(({ id }) => id) }
    }),

  markMailbox: (question) =>
    database.transaction(async (tx) => {
      const { userId, now } = question
      await lockUser(tx, userId)
      const hadSigner = await hasAnySigner(tx, question)
      await tx.write((db) =>
        db
          .updateTable('users')
          .set({ mailbox_mark_at: now, ...(hadSigner && { mailbox_mark_signer: 1 }) })
          .where('id', '=', userId),
      )
    }),

  mailboxMarkOf: (userId) => readMailboxMark(database, userId),

  endMailboxMark: (userId) => endMailboxMark(database, userId),

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
      })
      for (const row of rows) held.add(row.public_key)
    }
    return [...held]
  },
})
