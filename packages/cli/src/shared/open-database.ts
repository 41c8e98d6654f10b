import type { Countersign, MigratedStorage } from '@countersign/core'
import type { Config } from '@countersign/server'
import { type ChangeLog, openChangeLog, withChangeLog } from './change-log.ts'
import type { CommandContext } from './command-context.ts'
import { CommandFailed } from './failures.ts'
import { isMissingFile, whereMissing } from './missing-file.ts'

/** Warns of a variable that no code reads. If its name is misspelt, the command may work on another database. */
export const unreadVariable = ({ name, nearest }: Config['unknownVariables'][number]): string =>
  `${name}: is read by nothing; the nearest known name is ${nearest}`

const warnOfUnread = ({ unknownVariables }: Config, { stderr }: Pick<CommandContext, 'stderr'>): void => {
  for (const one of unknownVariables) stderr.write(`warning: ${unreadVariable(one)}\n`)
}

/**
 * Opens the configured database while `work` runs, whatever its schema, and with every other setting that `serve` refuses. Says
 * on standard error what `serve` would refuse.
 */
export const withStorage = async <T>(
  { env, stderr }: Pick<CommandContext, 'env' | 'stderr'>,
  work: (storage: MigratedStorage) => Promise<T>,
): Promise<T> => {
  const { checkConfig, openStorage } = await import('@countersign/server')
  const { config, problems } = checkConfig(env)
  const fault = problems.find(({ variable }) => variable === 'COUNTERSIGN_DATABASE_URL')
  if (fault !== undefined) throw new CommandFailed(fault.line)
  for (const { line } of problems) stderr.write(`warning: serve refuses ${line}\n`)
  warnOfUnread(config, { stderr })
  const storage = await openStorage(config.databaseUrl)
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}

/**
 * Opens `Countersign` with all parts on the configured database while `work` runs, whatever parts a server here serves. Each
 * change writes a line of the log (see `openChangeLog`).
 *
 * @throws CommandFailed if migrations are pending, or if the database file is missing: a mistyped path must not become
 * an empty database with new keys
 */
export const withCountersign = async <T>(
  context: Pick<CommandContext, 'env' | 'stderr'>,
  work: (countersign: Countersign, storage: MigratedStorage, log: ChangeLog) => Promise<T>,
): Promise<T> => {
  const { allParts } = await import('@countersign/core')
  const { openCountersign, readConfig, shownDatabase } = await import('@countersign/server')
  const config = readConfig(context.env)
  warnOfUnread(config, context)
  if (isMissingFile(config.databaseUrl))
    throw new CommandFailed(`the database ${whereMissing(shownDatabase(config.databaseUrl))}`)
  const log = await openChangeLog(context)
  const { countersign, storage, close } = await openCountersign(config, { logger: log.ofCore, parts: allParts })
  try {
    const { pending } = await storage.migrationStatus()
    if (pending.length > 0) throw new CommandFailed('the database has pending migrations; run `countersign migrate` first')
    return await work(withChangeLog(countersign, log), storage, log)
  } finally {
    await close()
    log.close()
  }
}
