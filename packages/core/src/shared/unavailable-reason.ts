/**
 * The causes of `Unavailable`. A cause is for the log of the operator; no response names it.
 *
 * - `database_unreachable`: no connection can be made, or a connection broke.
 * - `database_timeout`: the database did not answer in time.
 * - `database_locked`: another transaction held a lock for too long.
 * - `database_login_refused`: the database refused the user or the password.
 * - `database_permission_denied`: the role lacks a right, or row level security hides rows from the role.
 * - `database_read_only`: the database accepts no writes, for example on a standby.
 * - `database_not_migrated`: tables are missing, because migrations were never applied.
 * - `database_encoding`: the database cannot store every character, because its encoding is not UTF-8.
 * - `database_full`: a disk of the database is full.
 * - `database_restarting`: the database is starting or shutting down.
 * - `database_connections`: the database accepts no more connections.
 * - `database_failed`: any other failure of the database, such as a broken disk.
 * - `database_closed`: this process has closed its database.
 * - `connections_in_use`: all connections of this server are in use.
 * - `write_conflicts`: other writes interfered with each attempt.
 * - `passwords_waiting`: too many passwords wait to be hashed.
 * - `push_messages_waiting`: too many push messages wait to be sent.
 * - `streams_open`: too many live streams of a session or of the server are open, or the server stops.
 * - `receipts_not_configured`: the server has no receipt keys.
 * - `receipt_keys_ended`: every receipt key is retired or revoked.
 * - `unknown`: the code that failed named no cause.
 */
export const unavailableReasons = [
  'database_unreachable',
  'database_timeout',
  'database_locked',
  'database_login_refused',
  'database_permission_denied',
  'database_read_only',
  'database_not_migrated',
  'database_encoding',
  'database_full',
  'database_restarting',
  'database_connections',
  'database_failed',
  'database_closed',
  'connections_in_use',
  'write_conflicts',
  'passwords_waiting',
  'push_messages_waiting',
  'streams_open',
  'receipts_not_configured',
  'receipt_keys_ended',
  'unknown',
] as const

/** The cause of an `Unavailable`; see `unavailableReasons`. */
export type UnavailableReason = (typeof unavailableReasons)[number]
