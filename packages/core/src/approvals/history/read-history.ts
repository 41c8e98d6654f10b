import { type Checked, limits } from '@countersign/contract'
import { type Caller, InsufficientTrustLevel } from '../../identity/authentication/caller.ts'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import type { Bound } from '../../identity/records/bound.ts'
import { isTrusted } from '../../identity/records/trust.ts'
import { erasedField, type SealedField } from '../../shared/crypto/field-encryption.ts'
import { Invalid } from '../../shared/errors.ts'
import { isCursor, type ListPosition, type Page, type PageQuery, readPage } from '../../shared/list-page.ts'
import type { ApprovalDeps } from '../deps.ts'

type HistoryPage = Pick<Checked<'confirmations.list'>, 'from' | 'until' | 'cursor' | 'limit'>

const instantOf = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time))

/** Reads a page of a history, newest first. @throws Invalid for a cursor that no page returned */
export const readHistory = <T extends ListPosition>(
  { from, until, cursor: after, limit = limits.approvalsPerPage.default }: HistoryPage,
  read: (page: Omit<PageQuery, 'userId'>) => Promise<readonly T[]>,
): Promise<Page<T>> => {
  if (after !== undefined && !isCursor(after)) throw new Invalid({ cursor: 'must be the nextCursor of a page' })
  return readPage({ since: instantOf(from), before: instantOf(until), after, limit }, undefined, read)
}

export const withoutErased = <T extends { readonly payload: SealedField }>(all: readonly T[]): readonly T[] =>
  all.filter(({ payload }) => payload !== erasedField)

/** The part of a person's history that a session reads. */
export interface Reach {
  /** Only what lies in these tenants; `null` for everything. */
  readonly tenants: Bound
  /** Only what this session asked for; `undefined` for everything. */
  readonly session: string | undefined
}

/** A caller in a session. */
export type HistoryReader = Pick<Caller, 'userId' | 'sessionId'>

/**
 * Returns the part of the history that a caller reads: everything for a session of a trusted device or passkey, and for any other
 * session what that session asked for. A session that is bound to tenants reads only what lies there.
 * @throws InvalidAccessToken if the session has ended; InsufficientTrustLevel for a device or passkey on probation
 */
export const reachOf = async (
  { storage, clock, options }: ApprovalDeps,
  { userId, sessionId }: HistoryReader,
): Promise<Reach> => {
  const status = await storage.sessions.status(sessionId)
  if (status?.userId !== userId) throw new InvalidAccessToken()
  const { tenants, deviceId, passkeyId, userVerified } = status
  if (deviceId === null && passkeyId === null) return { tenants, session: sessionId }
  if (!isTrusted(status, clock.now())) throw new InsufficientTrustLevel()
  const approves = deviceId !== null || (options.passkeyApprovals && userVerified)
  return { tenants, session: approves ? undefined : sessionId }
}
