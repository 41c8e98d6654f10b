/** The cause of an `Unavailable`, for the log of the operator. No response names it. */
export type UnavailableReason =
  | 'database_unreachable' // No connection can be made, or a connection broke.
  | 'database_timeout' // The database did not answer in time.
  | 'database_locked' // Another transaction held a lock for too long.
  | 'database_login_refused' // The database refused the user or the password.
  | 'database_permission_denied' // The role lacks a right, or row level security hides rows from the role.
  | 'database_read_only' // The database accepts no writes, for example on a standby.
  | 'database_not_migrated' // Tables are missing, because migrations were never applied.
  | 'database_encoding' // The database cannot store every character, because its encoding is not UTF-8.
  | 'database_full' // A disk of the database is full.
  | 'database_restarting' // The database is starting or shutting down.
  | 'database_connections' // The database accepts no more connections.
  | 'database_failed' // Any other failure of the database, such as a broken disk.
  | 'database_closed' // This process has closed its database.
  | 'connections_in_use' // All connections of this server are in use.
  | 'write_conflicts' // Other writes interfered with each attempt.
  | 'passwords_waiting' // Too many passwords wait to be hashed.
  | 'push_messages_waiting' // Too many push messages wait to be sent.
  | 'streams_open' // Too many live streams of a session or of the server are open, or the server stops.
  | 'receipts_not_configured' // The server has no receipt keys.
  | 'receipt_keys_ended' // Every receipt key is retired or revoked.
  | 'unknown' // The code that failed named no cause.
