import type { MigratedStorage } from '@countersign/core'
import { failureCode, openStorage, StartupError, shownDatabase } from '@countersign/server'
import { isMissingFile, whereMissing } from '../../shared/missing-file.ts'
import { type Finding, failed, ok } from './check.ts'
import { examineClock } from './clock.ts'

/** The findings about the database and its schema, and the result of a look at the data where the schema is current. */
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

const examineSchema = async (storage: MigratedStorage): Promise<Finding> => {
  const { applied, pending, newer } = await storage.migrationStatus()
  if (pending.length > 0) return failed(`pending: ${pending.join(', ')}; \`countersign migrate\` applies it`)
  const last = applied.at(-1) ?? 'empty'
  return ok(newer.length > 0 ? `${last}; a newer version has applied ${newer.join(', ')} beside` : last)
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
    await storage.ping()
    const clock = await examineClock(storage)
    const schema = await examineSchema(storage)
    if (schema.status !== 'ok') return { database: ok(shown), schema, clock }
    return { database: ok(shown), schema, clock, inside: await lookInside(storage) }
  } catch (error) {
    return away(error instanceof StartupError ? error.message : `${shown} does not answer (${failureCode(error)})`)
  } finally {
    await storage?.close()
  }
}
