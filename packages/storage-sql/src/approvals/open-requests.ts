import type { Instant } from '@countersign/core/storage'
import type { Database } from '../shared/database.ts'
import { openRequests } from './confirmations/pending-confirmations.ts'

/** Locks an open request until the transaction ends. Every other end of the request waits for the lock. */
export const lockOpen = async (tx: Database, id: string, now: Instant) => {
  const [request] = await tx.read((db) =>
    tx.locks.lockForUpdate(openRequests(db, now).select(['id', 'count', 'requested_by']).where('id', '=', id)),
  )
  return request
}

/** Stops looking for further approvers of requests. */
export const wantNobody = (tx: Database, requestIds: readonly string[]) =>
  tx.write((db) => db.deleteFrom('wanted_permissions').where('approval_id', 'in', requestIds))
