import type { RecoveredRows, RecoveryTimes } from '@countersign/core/storage'
import type { ExpressionBuilder } from 'kysely'
import { literal, pending } from './approvals/confirmations/pending-confirmations.ts'
import { countWritten, type Database } from './shared/database.ts'
import { recordChanges } from './shared/record-changes.ts'
import { countRows } from './shared/sweep.ts'
import type { Tables } from './tables/index.ts'

/** The most users whose ended sessions one statement announces. Databases bound the number of values of a statement. */
const ANNOUNCED_AT_ONCE = 1000

/** The conditions of the rows that a restored backup made usable again. Declared once, for counting and for voiding. */
const usable = ({ now, createdSince }: RecoveryTimes) => ({
  sessions: (the: ExpressionBuilder<Tables, 'sessions'>) =>
    the.and([the('ended_at', 'is', null), the('refresh_expires_at', '>', now)]),
  approvalRequests: (the: ExpressionBuilder<Tables, 'approval_requests'>) =>
    the.and([the('status', '=', literal('pending')), the('expires_at', '>', now)]),
  pendingConfirmations: (the: ExpressionBuilder<Tables, 'confirmations'>) =>
    the.and([the('status', '=', pending), the('expires_at', '>', now)]),
  approvals: (the: ExpressionBuilder<Tables, 'confirmations'>) =>
    the.and([
      the('status', '=', literal('approved')),
      the('consumed_at', 'is', null),
      the('voided_at', 'is', null),
      the.or([
        the('created_at', '>=', createdSince),
        the(
          'approval_id',
          'in',
          the.selectFrom('approval_requests').select('id').where(usable({ now, createdSince }).approvalRequests),
        ),
      ]),
    ]),
  oneTimeCodes: (the: ExpressionBuilder<Tables, 'one_time_codes'>) => the('expires_at', '>', now),
  challenges: (the: ExpressionBuilder<Tables, 'challenges'>) =>
    the.and([the('used_at', 'is', null), the('expires_at', '>', now)]),
})

export const countRecoverable = async (database: Database, times: RecoveryTimes): Promise<RecoveredRows> => {
  const where = usable(times)
  return {
    sessions: await countRows(database, 'sessions', where.sessions, times.now),
    approvalRequests: await countRows(database, 'approval_requests', where.approvalRequests, times.now),
    pendingConfirmations: await countRows(database, 'confirmations', where.pendingConfirmations, times.now),
    approvals: await countRows(database, 'confirmations', where.approvals, times.now),
    oneTimeCodes: await countRows(database, 'one_time_codes', where.oneTimeCodes, times.now),
    challenges: await countRows(database, 'challenges', where.challenges, times.now),
  }
}

/** See `DatabaseControl.recover`. Locks sessions, requests and confirmations in the order of every other transaction. */
export const recover = (database: Database, times: RecoveryTimes): Promise<RecoveredRows> =>
  database.transaction(async (tx) => {
    const { now } = times
    const where = usable(times)
    const ended = await tx.write((db) =>
      db.updateTable('sessions').set({ ended_at: now, end_reason: 'revoked' }).where(where.sessions).returning('user_id'),
    )
    const users = [...new Set(ended.map((row) => row.user_id))].map((id) => ({ kind: 'user', subject: String(id) }) as const)
    for (let at = 0; at < users.length; at += ANNOUNCED_AT_ONCE)
      await recordChanges(tx, users.slice(at, at + ANNOUNCED_AT_ONCE), now)
    await tx.read((db) =>
      tx.locks.lockForUpdate(db.selectFrom('approval_requests').select('id').where(where.approvalRequests).orderBy('id')),
    )
    const pendingConfirmations = await countWritten(tx, (db) =>
      db
        .updateTable('confirmations')
        .set({ status: literal('rejected'), updated_at: now })
        .where(where.pendingConfirmations),
    )
    const approvals = await countWritten(tx, (db) =>
      db.updateTable('confirmations').set({ voided_at: now }).where(where.approvals),
    )
    await tx.write((db) =>
      db
        .deleteFrom('wanted_permissions')
        .where('approval_id', 'in', (the) => the.selectFrom('approval_requests').select('id').where(where.approvalRequests)),
    )
    const approvalRequests = await countWritten(tx, (db) =>
      db.updateTable('approval_requests').set({ status: 'rejected' }).where(where.approvalRequests),
    )
    const oneTimeCodes = await countWritten(tx, (db) => db.deleteFrom('one_time_codes').where(where.oneTimeCodes))
    const challenges = await countWritten(tx, (db) => db.deleteFrom('challenges').where(where.challenges))
    return { sessions: ended.length, approvalRequests, pendingConfirmations, approvals, oneTimeCodes, challenges }
  })
