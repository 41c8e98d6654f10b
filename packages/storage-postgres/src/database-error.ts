import pg from 'pg'

/**
 * Returns whether PostgreSQL answered with this error. A host's pool may come from another copy of the driver, with another class.
 */
export const isDatabaseError = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError || (error instanceof Error && 'severity' in error && 'code' in error)
