import { Unavailable } from '@countersign/core/storage'

/** Primary result codes that say that the database cannot serve now; an extended code continues one with `_`. */
const UNAVAILABLE = /^SQLITE_(BUSY|LOCKED|FULL|READONLY|IOERR|CANTOPEN|CORRUPT|NOTADB|NOMEM|PROTOCOL|PERM)(_|$)/

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Another connection holds what is needed, for the moment. */
export const isBusy = (error: unknown): boolean => /^SQLITE_BUSY(_|$)/.test(codeOf(error))

/** `Unavailable`, with the cause, where the error says that the database cannot serve now; else the error itself. */
export const asUnavailable = (error: unknown): unknown =>
  UNAVAILABLE.test(codeOf(error)) ? new Unavailable(undefined, { cause: error }) : error
