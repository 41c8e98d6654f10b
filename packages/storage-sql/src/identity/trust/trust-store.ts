import type { EnrolmentQuestion, Instant, Registrations, TrustStore } from '@countersign/core/storage'
import { type ExpressionBuilder, type Kysely, type Selectable, type SqlBool, sql } from 'kysely'
import type { Database } from '../../shared/database.ts'
import type { DialectFeatures } from '../../shared/dialect-features.ts'
import { preparedQuery } from '../../shared/prepared-query.ts'
import type { Tables } from '../../tables/index.ts'
import { coversTenant, toBound } from '../bound.ts'
import { active, updateActive, withoutPushToken } from '../devices/active-devices.ts'
import { keepRemovedKeys } from '../passkeys-store.ts'
import { isEndedByOthers, liveSession } from '../sessions/live-session.ts'
import { toHostSignIn } from '../sessions/sessions-store.ts'
import { lockUser } from '../users/lock-user.ts'
import { noteApprover } from '../users/permission-holders.ts'
import { cancelCoolingOff, endMailboxMark, recordTrustChange } from './cooling-off.ts'

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
      'sessions.tenants',
      'sessions.host_method',
      'sessions.signed_in_at',
      'sessions.opened_by',
      'users.password_hash',
      'users.trusted_passkey_removed_at',
      'users.mailbox_mark_at',
      'users.mailbox_mark_signer',
      'devices.trusted_at as device_trusted_at',
      'passkeys.trusted_at as passkey_trusted_at',
    ]),
)

const markOfUser = preparedQuery((db, { userId }: Pick<EnrolmentQuestion, 'userId'>) =>
  db.selectFrom('users').select(['mailbox_mark_at', 'mailbox_mark_signer']).where('id', '=', userId),
)

const toMark = (row?: Pick<Selectable<Tables['users']>, 'mailbox_mark_at' | 'mailbox_mark_signer'>) =>
  row === undefined || row.mailbox_mark_at === null
    ? null
    : { since: row.mailbox_mark_at, hadSigner: row.mailbox_mark_signer === 1 }

/** A question about the devices and passkeys of a user, with the bound of the session that registers another one. */
interface BoundQuestion extends Pick<EnrolmentQuestion, 'userId' | 'now' | 'rememberedSince'> {
  readonly tenants: string | null
}

/** The condition that a device or passkey counts for a session: it is not bound, or has the same bound. */
const countsFor = ({ tenants }: BoundQuestion) =>
  sql<SqlBool>`(${sql.ref('tenants')} is null or ${sql.ref('tenants')} = cast(${tenants} as text))`

type Signers = ExpressionBuilder<Tables, 'devices' | 'passkeys'>

/** The condition of the trusted devices or passkeys of the user that count for the session. */
const isTrusted = (question: BoundQuestion) => (the: Signers) =>
  the.and([the('user_id', '=', question.userId), the('trusted_at', '<=', question.now), countsFor(question)])

const trustedDevice = preparedQuery((db, question: BoundQuestion) => active(db).select('id').where(isTrusted(question)).limit(1))

const trustedPasskey = preparedQuery((db, question: BoundQuestion) =>
  db.selectFrom('passkeys').select('id').where(isTrusted(question)).limit(1),
)

const boundPasskeyRemovedSince = preparedQuery((db, { userId, tenants, rememberedSince }: BoundQuestion) =>
  db
    .selectFrom('removed_passkeys')
    .select('spki')
    .where('user_id', '=', userId)
    .where('trusted_for', '=', tenants)
    .where('removed_at', '>=', rememberedSince)
    .limit(1),
)

const trustedDeviceRemovedSince = preparedQuery((db, question: BoundQuestion) =>
  db
    .selectFrom('devices')
    .select('id')
    .where('user_id', '=', question.userId)
    .where('removed_at', 'is not', null)
    .where('removed_at', '>=', question.rememberedSince)
    .whereRef('trusted_at', '<=', 'removed_at')
    .where(countsFor(question))
    .limit(1),
)

/** Finds a user who has a trusted device or passkey with any bound, or had one lately. */
const anySigner = preparedQuery((db, { userId, now, rememberedSince }: Omit<EnrolmentQuestion, 'sessionId'>) =>
  db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where((the) =>
      the.or([
        the('trusted_passkey_removed_at', '>=', rememberedSince),
        the.exists(the.selectFrom('passkeys').select('id').where('user_id', '=', userId).where('trusted_at', '<=', now)),
        the.exists(
          the
            .selectFrom('removed_passkeys')
            .select('spki')
            .where('user_id', '=', userId)
            .where('trusted_for', 'is not', null)
            .where('removed_at', '>=', rememberedSince),
        ),
        the.exists(
          the
            .selectFrom('devices')
            .select('id')
            .where('user_id', '=', userId)
            .where('trusted_at', '<=', now)
            .where((of) =>
              of.or([
                of('removed_at', 'is', null),
                of.and([of('removed_at', '>=', rememberedSince), of('trusted_at', '<=', of.ref('removed_at'))]),
              ]),
            ),
        ),
      ]),
    ),
)

/** The condition of the devices or passkeys of the user that cool off, and count for the session. */
const isCoolingOff = (question: BoundQuestion) => (the: Signers) =>
  the.and([
    the('user_id', '=', question.userId),
    the('cooling_off', '=', 1),
    the('trusted_at', '>', question.now),
    countsFor(question),
  ])

const deviceCoolingOff = preparedQuery((db, question: BoundQuestion) =>
  active(db).select('id').where(isCoolingOff(question)).limit(1),
)

const passkeyCoolingOff = preparedQuery((db, question: BoundQuestion) =>
  db.selectFrom('passkeys').select('id').where(isCoolingOff(question)).limit(1),
)

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

export const trustStore = (database: Database, features: DialectFeatures): TrustStore => {
  /**
   * Makes one device or passkey trusted in a transaction that also ends the cooling-off period of another one, ends the bound of
   * its sessions with its own, and reports the change.
   */
  const trusting = (
    userId: number,
    now: Instant,
    one: { readonly device_id: string } | { readonly passkey_id: string },
    trustOne: (db: Kysely<Tables>) => { executeTakeFirst(): Promise<{ readonly tenants: string | null } | undefined> },
  ): Promise<boolean> =>
    database.transaction(async (tx) => {
      await lockUser(tx, features, userId)
      const trusted = await tx.write((db) => trustOne(db).executeTakeFirst())
      if (trusted === undefined) return false
      const { tenants } = trusted
      if (tenants === null) {
        const ofUser = { ...one, user_id: userId, ended_at: null }
        await tx.write((db) =>
          db
            .updateTable('sessions')
            .set({ tenants })
            .where((the) => the.and(ofUser))
            .where('tenants', 'is not', null)
            .execute(),
        )
      }
      await cancelCoolingOff(tx, userId, tenants, now)
      await noteApprover(tx, userId)
      await recordTrustChange(tx, userId, now)
      return true
    })

  return {
    enrolmentFacts: (question) =>
      database.transaction(async (tx) => {
        await lockUser(tx, features, question.userId)
        const session = await tx.read((db) => registeringSession.first(db, question))
        if (session === undefined) return undefined
        const bound = { ...question, tenants: session.tenants }
        const isTrue = async (query: Pick<typeof trustedDevice, 'first'> | Pick<typeof boundPasskeyRemovedSince, 'first'>) =>
          (await tx.read<object | undefined>((db) => query.first(db, bound))) !== undefined
        return {
          session: {
            authMethod: session.auth_method,
            userVerified: session.user_verified === 1,
            createdAt: session.created_at,
            host: toHostSignIn(session),
            tenants: toBound(session.tenants),
            trustedAt: session.device_trusted_at ?? session.passkey_trusted_at,
          },
          hasTrustedDevice: (await isTrue(trustedDeviceRemovedSince)) || (await isTrue(trustedDevice)),
          hasTrustedPasskey:
            (session.trusted_passkey_removed_at ?? Number.NEGATIVE_INFINITY) >= question.rememberedSince ||
            (await isTrue(boundPasskeyRemovedSince)) ||
            (await isTrue(trustedPasskey)),
          hasPassword: session.password_hash !== null,
          hasCoolingOff: (await isTrue(deviceCoolingOff)) || (await isTrue(passkeyCoolingOff)),
          mailboxMark: toMark(session),
        }
      }),

    lock: (userId) => lockUser(database, features, userId),

    makeTrusted: ({ userId, kind, id }, now, bound) =>
      kind === 'device'
        ? trusting(userId, now, { device_id: id }, (db) =>
            updateActive(db, userId, id)
              .where((the) => isChangedBy(the, now, bound))
              .set((the) => trustedColumns(the, now, bound))
              .returning('tenants'),
          )
        : trusting(userId, now, { passkey_id: id }, (db) =>
            db
              .updateTable('passkeys')
              .where('user_id', '=', userId)
              .where('id', '=', id)
              .where((the) => isChangedBy(the, now, bound))
              .set((the) => trustedColumns(the, now, bound))
              .returning('tenants'),
          ),

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
          )
          .execute(),
      )
    },

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
          db
            .deleteFrom('passkeys')
            .where(onProbation(db, removal))
            .returning(['id', 'user_id', 'spki', 'tenants', 'trusted_at'])
            .execute(),
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
        await lockUser(tx, features, userId)
        const hadSigner = (await tx.read((db) => anySigner.first(db, question))) !== undefined
        await tx.write((db) =>
          db
            .updateTable('users')
            .set({ mailbox_mark_at: now, ...(hadSigner && { mailbox_mark_signer: 1 }) })
            .where('id', '=', userId)
            .execute(),
        )
      }),

    mailboxMarkOf: async (userId) => toMark(await database.read((db) => markOfUser.first(db, { userId }))),

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
            .execute()
        })
        for (const row of rows) held.add(row.public_key)
      }
      return [...held]
    },
  }
}
