import type { UnavailableReason } from '@countersign/core'
import { Unavailable } from '@countersign/core/storage'

/** The primary result codes that mean that the database is unavailable. An extended code continues one of them with `_`. */
const UNAVAILABLE = /^SQLITE_(BUSY|LOCKED|FULL|READONLY|IOERR|CANTOPEN|CORRUPT|NOTADB|NOMEM|PROTOCOL|PERM)(_|$)/

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Another connection has the lock at this moment. */
export const isBusy = (error: unknown): boolean => /^SQLITE_BUSY(_|$)/.test(codeOf(error))

const reasons: Readonly<Record<string, UnavailableReason>> = {
  BUSY: 'database_locked',
  LOCKED: 'database_locked',
  FULL: 'database_full',
  READONLY: 'database_read_only',
  PERM: 'database_read_only',
  CANTOPEN: 'database_unreachable',
}

export const reasonOf = (error: unknown): UnavailableReason =>
  reasons[/^SQLITE_([A-Z]+)/.exec(codeOf(error))?.[1] ?? ''] ?? 'database_failed'

/** Wraps an error that means that the database is unavailable in `Unavailable`. Returns any other error unchanged. */
export const asUnavailable = (error: unknown): unknown =>
  UNAVAILABLE.test(codeOf(error)) ? new Unavailable(undefined, { cause: error, reason: reasonOf(error) }) : error
