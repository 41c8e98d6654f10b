import type { UnavailableReason } from '@countersign/core'
import pg from 'pg'
import { OperatorError } from './operator-error.ts'

/** Returns whether PostgreSQL answered with this error. A host's pool may come from another copy of the driver. */
export const isDatabaseError = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError || (error instanceof Error && 'severity' in error && 'code' in error)

/** The causes by SQLSTATE (PostgreSQL, appendix A), the first match counts. */
const byState: readonly (readonly [state: RegExp, reason: UnavailableReason])[] = [
  [/^25006/, 'database_read_only'],
  [/^53100/, 'database_full'],
  [/^53300/, 'database_connections'],
  [/^57P0/, 'database_restarting'],
  [/^(57014|25P0[34])/, 'database_timeout'],
  [/^55P03/, 'database_locked'],
  [/^28/, 'database_login_refused'],
  [/^42501/, 'database_permission_denied'],
  [/^08/, 'database_unreachable'],
  [/^40/, 'write_conflicts'],
]

/** Names the cause of a failure of PostgreSQL, of its driver or of the network. */
export const reasonOf = (error: unknown): UnavailableReason => {
  if (isDatabaseError(error)) {
    const { code = '' } = error
    return byState.find(([state]) => state.test(code))?.[1] ?? 'database_failed'
  }
  if (error instanceof OperatorError) return error.reason
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ETIMEDOUT' ? 'database_timeout' : 'database_unreachable'
}
