import type { ApproverQuery, User } from '@countersign/core/storage'
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { type Database, none } from '../../shared/database.ts'
import type { SignerKind, Tables } from '../../tables/index.ts'
import { coversTenant } from '../bound.ts'
import { ownPasskeys } from '../passkeys-store.ts'
import { toUser, userColumns } from './user-row.ts'

type Given = Pick<ApproverQuery, 'requestedBy' | 'tenant' | 'now' | 'refusedEmails' | 'passkeys'>

/** The condition that the requester has or had no passkey and no device with this key. */
const isNotOf = (requestedBy: number) => (the: ExpressionBuilder<Tables, 'devices'>, key: 'devices.public_key') =>
  the.and([
    none(
      the
        .selectFrom('devices as own')
        .select('own.id')
        .where('own.user_id', '=', requestedBy)
        .whereRef('own.public_key', '=', key),
    ),
    ...ownPasskeys.map((own) =>
      none(the.selectFrom(own).select('own.spki').where('own.user_id', '=', requestedBy).whereRef('own.spki', '=', key)),
    ),
  ])

/**
 * The condition that a user can approve, see `UserStore.approvers`. An offset keeps PostgreSQL from reading all devices at once.
 */
const canApprove =
  ({ requestedBy, tenant = null, now, refusedEmails = [], passkeys = false }: Given) =>
  (the: ExpressionBuilder<Tables, 'users'>) => {
    const isFree = isNotOf(requestedBy)
    const by = (signers: 'devices' | 'passkeys', key: 'public_key' | 'spki') =>
      the.exists(
        the
          .selectFrom(`${signers} as signer` as 'devices as signer')
          .select('signer.id')
          .$if(signers === 'devices', (devices) => devices.where('signer.removed_at', 'is', null))
          .whereRef('signer.user_id', '=', 'users.id')
          .where('signer.trusted_at', '<=', now)
          .where((signer) => coversTenant(signer.ref('signer.tenants'), tenant))
          .where((signer) => isFree(signer as never, `signer.${key}` as 'devices.public_key'))
          .limit(1)
          .offset(0),
      )
    return the.and([
      the('users.id', '!=', requestedBy),
      the('users.disabled_at', 'is', null),
      the('users.locked_at', 'is', null),
      ...(refusedEmails.length === 0 ? [] : [the('users.email', 'not in', refusedEmails)]),
      passkeys ? the.or([by('devices', 'public_key'), by('passkeys', 'spki')]) : by('devices', 'public_key'),
    ])
  }

/**
 * The holders of exactly this permission, in the order of the index. An offset keeps PostgreSQL from turning the condition into a
 * join that begins with all users or all devices.
 */
const holdersOf = (db: Kysely<Tables>, permission: string, signer: SignerKind, query: ApproverQuery) =>
  db
    .selectFrom('permission_holders')
    .select(['user_id', 'asked_at'])
    .where('permission', '=', permission)
    // A literal, because a database uses a partial index only without a parameter here.
    .where('has_signer', '=', sql.lit(signer))
    .where((the) =>
      the.exists(
        the
          .selectFrom('users')
          .select('users.id')
          .whereRef('users.id', '=', 'permission_holders.user_id')
          .where('users.directory_id', 'is', null)
          .where(canApprove(query))
          .limit(1)
          .offset(0),
      ),
    )
    .orderBy('asked_at')
    .orderBy('user_id')
    .limit(query.limit)

/** The users with these directory ids, whose permissions the directory knows. */
const ofDirectory = (db: Kysely<Tables>, directoryIds: readonly string[], query: ApproverQuery) =>
  db
    .selectFrom('users')
    .select((the) => [
      ...userColumns,
      the
        .selectFrom('permission_holders')
        .whereRef('permission_holders.user_id', '=', 'users.id')
        .select((held) => held.fn.coalesce(held.fn.max('permission_holders.asked_at'), sql.lit(0)).as('last'))
        .as('asked_at'),
    ])
    .where('users.directory_id', 'in', directoryIds)
    .where(canApprove(query))
    .orderBy('asked_at')
    .orderBy('users.id')
    .limit(query.limit)

export const approvers = async (database: Database, query: ApproverQuery): Promise<readonly User[]> => {
  const rows = await database.read(async (db) => {
    if ('directoryIds' in query) {
      return query.directoryIds.length === 0 ? [] : ofDirectory(db, query.directoryIds, query).execute()
    }
    // SQLite accepts no limit within a union, but accepts a limit within a table of a union.
    const signers: readonly SignerKind[] = query.passkeys ? [1, 2] : [1]
    const lists = query.permissions.flatMap((permission) =>
      signers.map((signer) =>
        db
          .selectFrom(holdersOf(db, permission, signer, query).as('holders'))
          .innerJoin('users', 'users.id', 'holders.user_id')
          .select([...userColumns, 'holders.asked_at as asked_at']),
      ),
    )
    const [first, ...others] = lists
    return first === undefined ? [] : others.reduce((all, list) => all.unionAll(list), first).execute()
  })
  const found = [...new Map(rows.map((row) => [row.id, row])).values()]
  const inOrder = found.sort((one, other) => Number(one.asked_at) - Number(other.asked_at) || one.id - other.id)
  return inOrder.slice(0, query.limit).map(toUser)
}
