import type { Countersign, MigratedStorage } from '@countersign/core'
import { CommandFailed } from './command-failed.ts'
import { isMissingFile, whereMissing } from './missing-file.ts'

/** Opens the configured database, whatever its schema, for the length of `work`. */
export const withStorage = async <T>(work: (storage: MigratedStorage) => Promise<T>): Promise<T> => {
  const { openStorage, readConfig } = await import('@countersign/server')
  const storage = await openStorage(readConfig().databaseUrl)
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}

/**
 * Opens a `Countersign` on the configured database for the length of `work`. What the core logs goes nowhere: the answer
 * says it all. @throws CommandFailed where migrations are pending, or there is no database file: a path that was mistyped
 * must not become an empty database with keys of its own
 */
export const withCountersign = async <T>(work: (countersign: Countersign) => Promise<T>): Promise<T> => {
  const { createLogger, openCountersign, readConfig, shownDatabase } = await import('@countersign/server')
  const config = readConfig()
  if (isMissingFile(config.databaseUrl))
    throw new CommandFailed(`the database ${whereMissing(shownDatabase(config.databaseUrl))}`)
  const { countersign, storage, close } = await openCountersign(config, { logger: createLogger('silent') })
  try {
    const { pending } = await storage.migrationStatus()
    if (pending.length > 0) throw new CommandFailed('the database has pending migrations; run `countersign migrate` first')
    return await work(countersign)
  } finally {
    await close()
  }
}
