import { errors, type MigratedStorage } from '@countersign/core'
import { examineClock, examineSchema } from '@countersign/core/storage'
import { failureReason, openStorage, StartupError, shownDatabase } from '@countersign/server'
import { isMissingFile, whereMissing } from '../../shared/missing-file.ts'
import { type Finding, failed, ok } from './check.ts'

/** The findings about the database and its schema, and the result of a look at the data if the schema is current. */
export interface DatabaseFindings<T> {
  readonly database: Finding
  readonly schema: Finding
  readonly clock?: Finding
  readonly inside?: T
}

const away = (why: string): DatabaseFindings<never> => ({
  database: failed(why),
  schema: failed('not known without the database'),
})

/** Checks that a server can read and write. */
const examineUse = async (storage: MigratedStorage, shown: string): Promise<Finding> => {
  try {
    await storage.ping()
    await storage.probeWrites()
    return ok(shown)
  } catch (error) {
    return failed(`${shown} cannot be used: ${failureReason(error)}`)
  }
}

/** Opens the database and reads from it. Changes nothing: a missing database file is not created. */
export const examineDatabase = async <T>(
  url: string,
  lookInside: (storage: MigratedStorage) => Promise<T>,
): Promise<DatabaseFindings<T>> => {
  const shown = shownDatabase(url)
  if (isMissingFile(url)) return away(whereMissing(shown))
  let storage: MigratedStorage | undefined
  try {
    storage = await openStorage(url)
    const clock = await examineClock(storage)
    const schema = await examineSchema(storage, 'countersign migrate').catch((error: unknown) => {
      if (error instanceof errors.Unavailable && error.reason === 'database_not_migrated') return failed(failureReason(error))
      throw error
    })
    // Before the migrations, tables are missing.
    if (schema.status === 'failed') return { database: ok(shown), schema, clock }
    const inside = await lookInside(storage)
    return { database: await examineUse(storage, shown), schema, clock, inside }
  } catch (error) {
    return away(error instanceof StartupError ? error.message : `${shown} does not answer: ${failureReason(error)}`)
  } finally {
    await storage?.close()
  }
}
