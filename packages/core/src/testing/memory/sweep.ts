import { hours, type Instant } from '../../shared/clock.ts'
import type { RetainedKind, RetentionLimits, SweptKind, SweptRows } from '../../shared/retention.ts'
import { isFinished, isOpenRequest } from './approvals/finished.ts'
import { deleteWhere, type Tables } from './tables.ts'

/** The time for which finished rows are kept. For example, a reused refresh token must still find its session. */
const KEPT_FOR = hours(24)

/** Deletes expired rows, and the finished records older than the limits. Returns the number of rows of each kind. */
export const sweepTables = (tables: Tables, now: Instant, limits: RetentionLimits): SweptRows => {
  const isLongPast = (instant: Instant | null): boolean => instant !== null && instant < now - KEPT_FOR
  const rows: readonly (readonly [SweptKind, number])[] = [
    [
      'challenges',
      deleteWhere(
        tables.challenges,
        ({ challenge: { userId, expiresAt } }) =>
          isLongPast(expiresAt) || (userId === null ? expiresAt <= now : tables.erasedUsers.has(userId)),
      ),
    ],
    ['userHandles', deleteErased(tables)],
    ['oneTimeCodes', deleteWhere(tables.oneTimeCodes, ({ expiresAt }) => expiresAt <= now)],
    [
      'sessions',
      deleteWhere(tables.sessions, ({ refreshExpiresAt, endedAt }) => isLongPast(refreshExpiresAt) || isLongPast(endedAt)),
    ],
    [
      'loginFailures',
      deleteWhere(tables.loginFailures, ({ lastAt, knownUntil }) => isLongPast(lastAt) && knownUntil <= now) +
        deleteWhere(tables.loginCeilings, isLongPast),
    ],
    ['rateLimits', deleteWhere(tables.rateLimits, ({ idleAt }) => idleAt <= now)],
    [
      'unfinishedImports',
      deleteWhere(tables.stagedResources, ({ stagedAt }) => isLongPast(stagedAt)) +
        deleteWhere(tables.stagedExpenses, ({ stagedAt }) => isLongPast(stagedAt)),
    ],
    ...sweepRecords(tables, now, limits),
  ]
  return Object.fromEntries(rows.filter(([, count]) => count > 0))
}

/** Deletes the user handles that an earlier version stored for users whose data was erased meanwhile. */
const deleteErased = ({ userHandles, erasedUsers }: Tables): number =>
  [...erasedUsers.keys()].filter((userId) => userHandles.delete(userId)).length

const sweepRecords = (tables: Tables, now: Instant, limits: RetentionLimits): readonly (readonly [SweptKind, number])[] => {
  const isOver = (kind: RetainedKind, instant: Instant): boolean => instant < (limits[kind] ?? Number.NEGATIVE_INFINITY)
  const hasSubject = (kind: 'device' | 'passkey', userId: number, subjectId: string): boolean =>
    kind === 'device'
      ? tables.devices.get(subjectId)?.removedAt === null
      : [...tables.passkeys.values()].some((passkey) => passkey.userId === userId && passkey.id === subjectId)

  return [
    ['serviceTokens', deleteWhere(tables.serviceTokens, ({ expiresAt }) => isOver('serviceTokens', expiresAt))],
    [
      'confirmations',
      deleteWhere(
        tables.confirmations,
        (row) => isFinished(tables, row, now) && isOver(row.status === 'approved' ? 'approvals' : 'refusals', row.createdAt),
      ),
    ],
    [
      'approvalRequests',
      deleteWhere(
        tables.approvalRequests,
        ({ id, status, createdAt }) =>
          !isOpenRequest(tables, id, now) && isOver(status === 'redeemed' ? 'approvals' : 'refusals', createdAt),
      ),
    ],
    [
      'vouchings',
      deleteWhere(
        tables.vouchings,
        ({ userId, kind, subjectId, confirmationId, createdAt }) =>
          isOver('approvals', createdAt) &&
          !tables.confirmations.has(confirmationId ?? '') &&
          !hasSubject(kind, userId, subjectId),
      ),
    ],
    ['removedDevices', sweepDevices(tables, (removedAt) => isOver('approvals', removedAt))],
    ['removedProjects', sweepProjects(tables, (removedAt) => isOver('removedProjects', removedAt))],
  ]
}

const sweepDevices = (tables: Tables, isOver: (removedAt: Instant) => boolean): number => {
  const count = deleteWhere(tables.devices, ({ removedAt }) => removedAt !== null && isOver(removedAt))
  deleteWhere(tables.deviceRegistrations, ({ deviceId }) => !tables.devices.has(deviceId))
  return count
}

const sweepProjects = (tables: Tables, isOver: (removedAt: Instant) => boolean): number => {
  const count = deleteWhere(tables.projects, ({ removedAt }) => removedAt !== null && isOver(removedAt))
  deleteWhere(tables.resources, ({ projectId }) => !tables.projects.has(projectId))
  deleteWhere(tables.expenses, ({ projectId }) => !tables.projects.has(projectId))
  return count
}
