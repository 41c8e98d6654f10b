import type { EnrolmentQuestion, TrustStore } from '@countersign/core/storage'
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../shared/database.ts'
import { preparedQuery } from '../../shared/prepared-query.ts'
import { toBound } from '../../shared/record-mapping.ts'
import type { Row, Tables } from '../../tables/index.ts'
import { active } from '../devices/active-devices.ts'
import { liveSession } from '../sessions/live-session.ts'
import { toHostSignIn } from '../sessions/sessions-store.ts'

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
      'users.mailbox_mark_at',
      'users.mailbox_mark_signer',
      'devices.trusted_at as device_trusted_at',
      'passkeys.trusted_at as passkey_trusted_at',
    ]),
)

const markOfUser = preparedQuery((db, { userId }: Pick<EnrolmentQuestion, 'userId'>) =>
  db.selectFrom('users').select(['mailbox_mark_at', 'mailbox_mark_signer']).where('id', '=', userId),
)

const toMark = (row?: Pick<Row<'users'>, 'mailbox_mark_at' | 'mailbox_mark_signer'>) =>
  row === undefined || row.mailbox_mark_at === null
    ? null
    : { since: row.mailbox_mark_at, hadSigner: row.mailbox_mark_signer === 1 }

export const readMailboxMark = async (database: Database, userId: number) => toMark(await markOfUser.first(database, { userId }))

/** A question about the devices and passkeys of a user, with the bound of the session that registers another one. */
interface BoundQuestion extends Pick<EnrolmentQuestion, 'userId' | 'now' | 'rememberedSince'> {
  readonly tenants: string | null
}

export type Signers = ExpressionBuilder<Tables, 'devices' | 'passkeys'>

/**
 * Says whether the user has devices and passkeys that are trusted, now or lately, or that cool off. With the bound of a session,
 * only those count that are not bound, or have the same bound.
 */
const findSigners = (bound: 'any' | 'same') =>
  preparedQuery((db, { userId, tenants, now, rememberedSince }: BoundQuestion) => {
    const isAny = bound === 'any'
    const counts = isAny
      ? sql<SqlBool>`true`
      : sql<SqlBool>`(${sql.ref('tenants')} is null or ${sql.ref('tenants')} = cast(${tenants} as text))`
    const isTrusted = (the: Signers) => the.and([the('user_id', '=', userId), the('trusted_at', '<=', now), counts])
    const isCoolingOff = (the: Signers) =>
      the.and([the('user_id', '=', userId), the('cooling_off', '=', 1), the('trusted_at', '>', now), counts])
    const devices = active(db).select('id')
    const passkeys = db.selectFrom('passkeys').select('id')
    const removedDevices = db
      .selectFrom('devices')
      .select('id')
      .where('user_id', '=', userId)
      .where('removed_at', 'is not', null)
      .where('removed_at', '>=', rememberedSince)
      .whereRef('trusted_at', '<=', 'removed_at')
      .where(counts)
      .$if(isAny, (removed) => removed.where('trusted_at', '<=', now))
    const removedPasskeys = db
      .selectFrom('removed_passkeys')
      .select('spki')
      .where('user_id', '=', userId)
      .where('trusted_for', isAny ? 'is not' : '=', isAny ? null : tenants)
      .where('removed_at', '>=', rememberedSince)
    const removedUnbound = db
      .selectFrom('users')
      .select('id')
      .where('id', '=', userId)
      .where('trusted_passkey_removed_at', '>=', rememberedSince)
    return db.selectNoFrom([
      exists(devices.where(isTrusted), removedDevices).as('trusted_device'),
      exists(passkeys.where(isTrusted), removedPasskeys, removedUnbound).as('trusted_passkey'),
      exists(devices.where(isCoolingOff), passkeys.where(isCoolingOff)).as('cooling_off'),
    ])
  })

const exists = (...found: readonly Expression<unknown>[]) => {
  const each = found.map((one) => sql`exists ${one}`)
  return sql<0 | 1>`case when ${sql.join(each, sql` or `)} then 1 else 0 end`
}

const [signersOfAnyBound, signersOfBound] = [findSigners('any'), findSigners('same')]

/** Returns whether the user has a trusted device or passkey with any bound, or had one lately. */
export const hasAnySigner = async (tx: Database, question: Omit<BoundQuestion, 'tenants'>): Promise<boolean> => {
  const found = await signersOfAnyBound.first(tx, { ...question, tenants: null })
  return found?.trusted_device === 1 || found?.trusted_passkey === 1
}

/** See `TrustStore.enrolmentFacts`. */
export const readEnrolmentFacts = async (tx: Database, question: EnrolmentQuestion): ReturnType<TrustStore['enrolmentFacts']> => {
  const session = await registeringSession.first(tx, question)
  if (session === undefined) return undefined
  const found = await signersOfBound.first(tx, { ...question, tenants: session.tenants })
  return {
    session: {
      authMethod: session.auth_method,
      userVerified: session.user_verified === 1,
      createdAt: session.created_at,
      host: toHostSignIn(session),
      tenants: toBound(session.tenants),
      trustedAt: session.device_trusted_at ?? session.passkey_trusted_at,
    },
    hasTrustedDevice: found?.trusted_device === 1,
    hasTrustedPasskey: found?.trusted_passkey === 1,
    hasPassword: session.password_hash !== null,
    hasCoolingOff: found?.cooling_off === 1,
    mailboxMark: toMark(session),
  }
}
