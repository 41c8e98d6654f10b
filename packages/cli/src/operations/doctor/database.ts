import { errors, type MigratedStorage, type Part } from '@countersign/core'
import { examineClock, examineSchema } from '@countersign/core/storage'
import {
  type Config,
  compareServers,
  demoUser,
  failureReason,
  isLoopbackHost,
  openStorage,
  requireOneInstallation,
  StartupError,
  settingsOf,
  shownDatabase,
} from '@countersign/server'
import { isMissingFile, whereMissing } from '../../shared/missing-file.ts'
import { type Finding, failed, ok, warning } from './check.ts'
import type { FoundKeys } from './keys.ts'

/** The findings about the database and its schema, and the result of a look at the data if the schema is current. */
export interface DatabaseFindings<T> {
  readonly database: Finding
  readonly schema: Finding
  readonly clock?: Finding
  readonly parts?: readonly Part[]
  readonly inside?: T
}

/** The advice for an operator whose database does not answer. */
const nextStep = 'start the database, or correct COUNTERSIGN_DATABASE_URL; servers go on by themselves once it answers'

const away = (why: string): DatabaseFindings<never> => ({
  database: failed(why),
  schema: failed('not known without the database'),
})

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
  { databaseUrl: url, databaseSchema }: Pick<Config, 'databaseUrl' | 'databaseSchema'>,
  lookInside: (storage: MigratedStorage) => Promise<T>,
): Promise<DatabaseFindings<T>> => {
  const shown = shownDatabase(url)
  if (isMissingFile(url)) return away(whereMissing(shown))
  let storage: MigratedStorage | undefined
  try {
    storage = await openStorage(url, { schema: databaseSchema })
    const clock = await examineClock(storage)
    const { parts } = await storage.installation()
    const elsewhere = await requireOneInstallation(storage, url).catch((error: unknown) => {
      if (error instanceof StartupError) return failed(error.message)
      throw error
    })
    if (elsewhere !== undefined) return { database: ok(shown), schema: elsewhere, clock, parts }
    const schema = await examineSchema(storage, 'countersign migrate').catch((error: unknown) => {
      if (error instanceof errors.Unavailable && error.reason === 'database_not_migrated') return failed(failureReason(error))
      throw error
    })
    // Before the migrations, tables are missing.
    if (schema.status === 'failed') return { database: ok(shown), schema, clock, parts }
    const inside = await lookInside(storage)
    return { database: await examineUse(storage, shown), schema, clock, parts, inside }
  } catch (error) {
    const why = error instanceof StartupError ? error.message : `${shown} does not answer: ${failureReason(error)}`
    return away(`${why}; ${nextStep}`)
  } finally {
    await storage?.close()
  }
}

/** Returns whether the demo user, whose password is public, exists and is enabled. */
export const hasDemoUser = async ({ users }: Pick<MigratedStorage, 'users'>): Promise<boolean> => {
  const user = await users.byEmail(demoUser.email)
  return user !== undefined && user.directoryId === null && user.disabledAt === null && user.lockedAt === null
}

const remedy = `\`countersign user disable ${demoUser.email}\` shuts the demo user out`

/** Returns a failed check if the demo user could do harm; `undefined` otherwise. */
export const examineDemoUser = ({ production, host }: Pick<Config, 'production' | 'host'>): Finding | undefined => {
  if (production)
    return failed(`${demoUser.email} is in the database; its password is known, and it cannot log in here: ${remedy}`)
  if (isLoopbackHost(host)) return undefined
  return failed(`whoever reaches ${host} can log in as ${demoUser.email}, whose password is known: ${remedy}`)
}

/** Compares the settings of this machine with the settings of the servers that run on the database. */
export const examineServers = async (
  storage: MigratedStorage,
  config: Config,
  { tokens, fields }: FoundKeys,
): Promise<Finding> => {
  const now = await (storage.time?.() ?? Date.now())
  const settings = settingsOf(config, { jwtKeys: tokens, encryptionKeys: fields })
  const { running, differences } = await compareServers(storage, settings, now)
  if (running === 0) return ok('none runs on the database')
  if (differences.length > 0) return warning(`a running server has another value of ${differences.join(', ')}`)
  return ok(`${running} on the database, with the same settings`)
}
