import { Unavailable } from '@countersign/core/storage'
import { isDatabaseError, reasonOf } from './reason-of.ts'

/**
 * The SQLSTATEs of a server that cannot serve now (PostgreSQL, appendix A): connection lost, too few resources, shutting down or
 * starting, timeouts, failed input and output, corrupt data, read-only, a role without the right.
 */
const UNAVAILABLE = /^(08|53|57|58|42501|25006|25P03|25P04|55P03|XX001|XX002)/
/** Serialization failure and deadlock. A retry of the whole transaction can succeed. */
const RETRYABLE = /^(40001|40P01)$/

/** Another transaction took the email after this one found it free. A retry sees the taken email. */
const isEmailTaken = (error: unknown): boolean =>
  isDatabaseError(error) && error.code === '23505' && error.constraint === 'users_email_key'

const sqlStateOf = (error: unknown): string => (isDatabaseError(error) ? (error.code ?? '') : '')

/** An error that is neither from the server nor a bug in this program comes from the driver or the network. */
const isLostConnection = (error: unknown): boolean =>
  error instanceof Error && !(isDatabaseError(error) || error instanceof TypeError || error instanceof RangeError)

/** The server ends the connection. It says so before it executes the statement, never after. */
const ENDED_BY_SERVER = /^(57P0[123]|25P0[34])/

/** The messages of timeouts in the driver and its pool, which have no error code. */
const TIMED_OUT =
  /^(?:timeout expired|timeout exceeded when trying to connect|Connection terminated due to connection timeout|Query read timeout)$/

/** Adds the code `ETIMEDOUT` to a timeout of the driver. Logs and operators see codes, never messages. */
export const addTimeoutCode = (error: unknown): void => {
  if (error instanceof Error && !('code' in error) && TIMED_OUT.test(error.message)) Object.assign(error, { code: 'ETIMEDOUT' })
}

/** Returns whether an error says that an answer did not arrive in time. The error has its code (`addTimeoutCode`). */
export const isUnansweredInTime = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ETIMEDOUT'

/** A connection broke while it was in use. */
export class LostConnection extends Unavailable {
  /** True if the work on the connection may have been committed. */
  readonly mayBeCommitted: boolean

  constructor(mayBeCommitted: boolean, options: ErrorOptions) {
    super(undefined, { ...options, reason: reasonOf(options.cause) })
    this.mayBeCommitted = mayBeCommitted
  }
}

/** The socket failed while it was written to, so the end of the statement was never sent. */
const isUnsent = (error: unknown): boolean => error instanceof Error && 'syscall' in error && error.syscall === 'write'

/** Returns whether the server ended the connection, and so executed nothing that it has not answered. */
export const isEndedByServer = (error: unknown): boolean => ENDED_BY_SERVER.test(sqlStateOf(error))

/** Returns whether the statement was certainly not executed when its connection broke with this error. */
export const isNotExecuted = (error: unknown): boolean => isEndedByServer(error) || isUnsent(error)

/** Returns whether a prepared statement is missing, taken or outdated. It was not executed. */
export const isPreparedStatementInvalid = (error: unknown): boolean =>
  /^(26000|42P05)$/.test(sqlStateOf(error)) || (isDatabaseError(error) && error.routine === 'RevalidateCachedQuery')

/** Returns whether the work was certainly rolled back, and a retry can succeed. */
export const canRetry = (error: unknown): boolean =>
  RETRYABLE.test(sqlStateOf(error)) || isEmailTaken(error) || isPreparedStatementInvalid(error)

/** Returns whether the connection of this error must be closed. A read-only connection must be closed too. */
export const breaksConnection = (error: unknown): boolean =>
  isLostConnection(error) || /^(08|57P|25P03|25P04|25006)/.test(sqlStateOf(error))

/** Returns whether the server stopped a statement because its lock, or the whole statement, took too long. */
export const isTimedOut = (error: unknown): boolean =>
  /^(55P03|57014)$/.test(sqlStateOf(error instanceof Unavailable ? error.cause : error))

/** Returns whether PostgreSQL ignored a statement because an earlier one of the same transaction failed. */
export const isTransactionAborted = (error: unknown): boolean => sqlStateOf(error) === '25P02'

/** Wraps an error that means that the database cannot serve now in `Unavailable`. Returns any other error unchanged. */
export const asUnavailable = (error: unknown): unknown =>
  isLostConnection(error) || UNAVAILABLE.test(sqlStateOf(error))
    ? new Unavailable(undefined, { cause: error, reason: reasonOf(error) })
    : error
