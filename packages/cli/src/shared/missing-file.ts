import { existsSync } from 'node:fs'

const SQLITE = 'sqlite:'

/** Returns whether the URL names an SQLite file that does not exist. Opening the URL would create the file. */
export const isMissingFile = (databaseUrl: string): boolean =>
  databaseUrl.startsWith(SQLITE) && !existsSync(databaseUrl.slice(SQLITE.length))

/**
 * Returns what to do about a missing database.
 *
 * @param shown The address of the database, without secrets.
 */
export const whereMissing = (shown: string): string => `${shown} does not exist yet; \`countersign migrate\` makes it`
