import { Unavailable } from '@countersign/core'
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

export const canTryAgain = (error: unknown): boolean => TRY_AGAIN.test(sqlStateOf(error)) || isEmailTakenMeanwhile(error)

/** Whether the connection that the error came from is of no more use. */
export const breaksConnection = (error: unknown): boolean =>
  isLostConnection(error) || /^(08|57P|25P03|25P04)/.test(sqlStateOf(error))

/** `Unavailable`, with the cause, where the error says that the database cannot serve now; else the error itself. */
export const asUnavailable = (error: unknown): unknown =>
  isLostConnection(error) || UNAVAILABLE.test(sqlStateOf(error)) ? new Unavailable(undefined, { cause: error }) : error
