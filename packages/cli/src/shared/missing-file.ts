import { existsSync } from 'node:fs'

const SQLITE = 'sqlite:'

/** Whether the URL is that of an SQLite file which does not exist: opening it would make one. */
export const isMissingFile = (databaseUrl: string): boolean =>
  databaseUrl.startsWith(SQLITE) && !existsSync(databaseUrl.slice(SQLITE.length))

/** What to do about it. @param shown The database's address, as it may be shown. */
export const whereMissing = (shown: string): string => `${shown} does not exist yet; \`countersign migrate\` makes it`
