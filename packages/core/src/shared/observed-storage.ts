import type { Milliseconds } from './clock.ts'

/** A statement that a database has executed, or refused. */
export interface ObservedStatement {
  readonly system: 'postgresql' | 'sqlite'
  /** The text of the statement, without its values. */
  readonly text: string
  /** The time on the database, without the wait for a connection. */
  readonly milliseconds: Milliseconds
  /** The error of a statement that failed. */
  readonly error?: unknown
}

/** Watches the statements of a storage, for traces and for a log of slow statements. */
export interface StorageObserver {
  /** Is called with each statement. Must not throw. */
  statement(statement: ObservedStatement): void
  /** True to call `statement` in the asynchronous context of the caller, as traces need. That costs some microseconds. */
  readonly inContext?: boolean
}

/** The connections of a storage for statements. */
export interface ConnectionStatistics {
  readonly most: number
  readonly inUse: number
  /** The callers that wait for a connection. */
  readonly waiting: number
}

/** Figures of a storage, for metrics. */
export interface StorageStatistics {
  /** Missing if callers never wait for a connection. */
  readonly connections?: ConnectionStatistics
  /** True if changes by other processes arrive; else every request queries the database. Missing while none is awaited. */
  readonly listening?: boolean | undefined
  /** The number of look-ups that the session cache answered, and of those that queried the database. */
  readonly sessionCache: { readonly hits: number; readonly misses: number }
}
