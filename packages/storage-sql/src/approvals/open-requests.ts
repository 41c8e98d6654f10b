import type { ApprovalRequest, Instant } from '@countersign/core/types'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables/index.ts'

/** The status is a literal, because a database uses the partial index of pending rows only without a parameter here. */
export const openRequests = (db: Kysely<Tables>, now: Instant) =>
  db
    .selectFrom('approval_requests')
    .where('status', '=', sql.lit<ApprovalRequest['status']>('pending'))
    .where('expires_at', '>', now)
