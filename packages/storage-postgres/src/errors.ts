import { Unavailable } from '@countersign/core/storage'
import pg from 'pg'

/**
 * SQLSTATEs that say that the server cannot serve now (PostgreSQL, appendix A): connection lost, too few resources,
 * shutting down or starting, cancelled by a time-out, input and output failing, data corrupted, only able to read.
 */
const UNAVAILABLE = /^(08|53|57|58|25006|25P03|25P04|55P03|XX001|XX002)/
/** Serialization failure and deadlock: another try of the whole transaction can succeed. */
const TRY_AGAIN = /^(40001|40P01)$/

/** A change of email found it free while another transaction took it: another try sees that it is taken. */
const isEmailTakenMeanwhile = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === 'users_email_key'

const sqlStateOf = (error: unknown): string => (error instanceof pg.DatabaseError ? (error.code ?? '') : '')

/** What the server did not say came from the driver or the network, unless it is a mistake of this program. */
const isLostConnection = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof pg.DatabaseError || error instanceof TypeError || error instanceof RangeError)

/** The server itself says that it ends the connection, which it does before the statement is done, not after. */
const ENDED_BY_SERVER = /^(57P0[123]|25P0[34])/

/** How the driver and its pool say that they waited for as long as they may. They give it no code, as the system does. */
const TIMED_OUT =
  /^(?:timeout expired|timeout exceeded when trying to connect|Connection terminated due to connection timeout|Query read timeout)$/

/** Gives a time-out of the driver its code: logs and operators are told codes, and no messages. */
export const nameTimeout = (error: unknown): void => {
  if (error instanceof Error && !('code' in error) && TIMED_OUT.test(error.message)) Object.assign(error, { code: 'ETIMEDOUT' })
}

/** A connection that was lost under way. */
export class LostConnection extends Unavailable {
  /** Whether what it was to do may have been done all the same. */
  readonly mayBeDone: boolean

  constructor(mayBeDone: boolean, options: ErrorOptions) {
    super(undefined, options)
    this.mayBeDone = mayBeDone
  }
}

/** Whether the end of a statement was not even sent: what is executed and committed at its end, then, is neither. */
const isUnsent = (error: unknown): boolean => error instanceof Error && 'syscall' in error && error.syscall === 'write'

/** Whether the server itself ended the connection, and so did nothing that it has not answered. */
export const isEndedByServer = (error: unknown): boolean => ENDED_BY_SERVER.test(sqlStateOf(error))

/** Whether a statement whose connection broke with this error was certainly not done. */
export const isNotDone = (error: unknown): boolean => isEndedByServer(error) || isUnsent(error)

/**
 * A statement that was prepared by name is not there, is there already, or no longer gives what it gave: something in
 * between uses the session for others too, or a table was changed. It was not executed.
 */
export const isStatementLost = (error: unknown): boolean =>
  /^(26000|42P05)$/.test(sqlStateOf(error)) || (error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery')

/** Whether another try of all the work can succeed, where it is certain that nothing of this one was done. */
export const canTryAgain = (error: unknown): boolean =>
  TRY_AGAIN.test(sqlStateOf(error)) || isEmailTakenMeanwhile(error) || isStatementLost(error)

/** Whether the connection that the error came from is of no more use: one on which nothing can be written is not, either. */
export const breaksConnection = (error: unknown): boolean =>
  isLostConnection(error) || /^(08|57P|25P03|25P04|25006)/.test(sqlStateOf(error))

/**
 * The server says that a lock, or all of a statement, took longer than it may: it answers, but the work does not get on, and
 * whoever waits for it has waited long enough.
 */
export const isGivenUp = (error: unknown): boolean =>
  /^(55P03|57014)$/.test(sqlStateOf(error instanceof Unavailable ? error.cause : error))

/** A statement came after one that failed, in the same transaction, and was not looked at. */
export const isAfterFailure = (error: unknown): boolean => sqlStateOf(error) === '25P02'

/** `Unavailable`, with the cause, where the error says that the database cannot serve now; else the error itself. */
export const asUnavailable = (error: unknown): unknown =>
  isLostConnection(error) || UNAVAILABLE.test(sqlStateOf(error)) ? new Unavailable(undefined, { cause: error }) : error
