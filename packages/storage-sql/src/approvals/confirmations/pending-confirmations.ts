import type { ApprovalRequest, Confirmation, Instant } from '@countersign/core/storage'
import { type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import type { Tables } from '../../tables/index.ts'

/** The statuses are literals, because a database uses a partial index only without a parameter here. */
export const approved = sql.lit<Confirmation['status']>('approved')
export const pending = sql.lit<Confirmation['status']>('pending')

export const pendingOfUser = (db: Kysely<Tables>, userId: number, now: Instant) =>
  db.selectFrom('confirmations').where('user_id', '=', userId).where('status', '=', pending).where('expires_at', '>', now)

export const updatePending = (db: Kysely<Tables>, userId: number, id: string, now: Instant) =>
  db
    .updateTable('confirmations')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('status', '=', pending)
    .where('expires_at', '>', now)

export const openRequests = (db: Kysely<Tables>, now: Instant) =>
  db
    .selectFrom('approval_requests')
    .where('status', '=', sql.lit<ApprovalRequest['status']>('pending'))
    .where('expires_at', '>', now)

/** No service has an empty name. */
export const isInitiatedBy = (the: ExpressionBuilder<Tables, 'confirmations'>, initiatedBy: Confirmation['initiatedBy']) =>
  sql<SqlBool>`coalesce(${the.ref('initiated_by')}, '') = coalesce(${initiatedBy}, '')`
