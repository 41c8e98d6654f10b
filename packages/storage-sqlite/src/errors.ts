import { Unavailable } from '@countersign/core/storage'

/** The primary result codes that mean that the database is unavailable. An extended code continues one of them with `_`. */
const UNAVAILABLE = /^SQLITE_(BUSY|LOCKED|FULL|READONLY|IOERR|CANTOPEN|CORRUPT|NOTADB|NOMEM|PROTOCOL|PERM)(_|$)/

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Another connection holds the lock for the moment. */
export const isBusy = (error: unknown): boolean => /^SQLITE_BUSY(_|$)/.test(codeOf(error))

/** Wraps an error that means that the database is unavailable in `Unavailable`. Returns any other error unchanged. */
export const asUnavailable = (error: unknown): unknown =>
  UNAVAILABLE.test(codeOf(error)) ? new Unavailable(undefined, { cause: error }) : error
