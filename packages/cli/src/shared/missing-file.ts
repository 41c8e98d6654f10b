import { statSync } from 'node:fs'

const SQLITE = 'sqlite:'

/** Returns whether the URL names an SQLite file that does not exist, which opening would create. */
export const isMissingFile = (databaseUrl: string): boolean => {
  if (!databaseUrl.startsWith(SQLITE)) return false
  try {
    return statSync(databaseUrl.slice(SQLITE.length), { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}

/** Returns what to do about a missing database, whose address is shown without secrets. */
export const whereMissing = (shown: string): string => `${shown} does not exist yet; \`countersign migrate\` makes it`
