import type { ApprovalRequest, Confirmation, Instant } from '@countersign/core/storage'
import { type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import type { Tables } from '../../tables/index.ts'

/** Returns a status as a literal, because a database uses a partial index only without a parameter here. */
export const literal = <S extends Confirmation['status'] | ApprovalRequest['status']>(status: S) => sql.lit(status)

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
  db.selectFrom('approval_requests').where('status', '=', literal('pending')).where('expires_at', '>', now)

/** No service has an empty name. */
export const isInitiatedBy = (the: ExpressionBuilder<Tables, 'confirmations'>, initiatedBy: Confirmation['initiatedBy']) =>
  sql<SqlBool>`coalesce(${the.ref('initiated_by')}, '') = coalesce(${initiatedBy}, '')`
