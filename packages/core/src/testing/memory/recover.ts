import type { RecoveredRows, RecoveryTimes } from '../../shared/recovery.ts'
import { deleteWhere, replaceAllWhere, type Tables } from './tables.ts'

/** Voids what a restored backup made usable again; see `DatabaseControl.recover`. */
export const recoverTables = (tables: Tables, { now, createdSince }: RecoveryTimes): RecoveredRows => {
  const { approvalRequests: requests } = tables
  const open = new Set(
    [...requests.values()].filter(({ status, expiresAt }) => status === 'pending' && now < expiresAt).map(({ id }) => id),
  )
  const isOfOpen = (id: string | null) => id !== null && open.has(id)
  return {
    sessions: replaceAllWhere(
      tables.sessions,
      ({ endedAt, refreshExpiresAt }) => endedAt === null && now < refreshExpiresAt,
      (session) => ({ ...session, endedAt: now, endReason: 'revoked' as const }),
    ),
    pendingConfirmations: replaceAllWhere(
      tables.confirmations,
      ({ status, expiresAt }) => status === 'pending' && now < expiresAt,
      (one) => ({ ...one, status: 'rejected' as const, updatedAt: now }),
    ),
    approvals: replaceAllWhere(
      tables.confirmations,
      ({ status, consumedAt, voidedAt, createdAt, approvalId }) =>
        status === 'approved' && consumedAt === null && voidedAt === null && (createdAt >= createdSince || isOfOpen(approvalId)),
      (one) => ({ ...one, voidedAt: now }),
    ),
    approvalRequests: replaceAllWhere(
      requests,
      ({ id }) => open.has(id),
      (request) => ({ ...request, status: 'rejected' as const }),
    ),
    oneTimeCodes: deleteWhere(tables.oneTimeCodes, ({ expiresAt }) => now < expiresAt),
    challenges: deleteWhere(tables.challenges, ({ challenge, usedAt }) => usedAt === null && now < challenge.expiresAt),
  }
}
