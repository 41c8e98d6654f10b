import type { Countersign, CountersignIdentity, CountersignProjects, MigratedStorage, Part } from '@countersign/core'
import type { Config, MountableCountersign } from '@countersign/server'
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

/** Opens the database, whatever its schema, and warns of other settings that `serve` refuses. `named` parts are used instead. */
export const withStorage = async <T>(
  { env, stderr }: Pick<CommandContext, 'env' | 'stderr'>,
  named: readonly Part[],
  work: (storage: MigratedStorage, config: Config) => Promise<T>,
): Promise<T> => {
  const { checkConfig, openStorage } = await import('@countersign/server')
  const { config, problems } = checkConfig(env)
  const fault = problems.find(({ variable }) => /^COUNTERSIGN_(?:DATABASE_(?:URL|SCHEMA)|PARTS)$/.test(variable))
  if (fault !== undefined) throw new CommandFailed(fault.line)
  for (const { line } of problems) stderr.write(`warning: serve refuses ${line}\n`)
  warnOfUnread(config, { stderr })
  const parts = named.length > 0 ? named : config.parts
  const storage = await openStorage(config.databaseUrl, { schema: config.databaseSchema, parts })
  try {
    return await work(storage, config)
  } finally {
    await storage.close()
  }
}

/** The members of a `Countersign` that belong to projects. */
const ofProjects = ['customers', 'expenses', 'productSchemas', 'projects', 'resources'] as const satisfies readonly Exclude<
  keyof CountersignProjects,
  keyof CountersignIdentity
>[]

/** Adds the members of a missing part. A command that uses one fails, and names the part. */
const withMissingParts = (countersign: MountableCountersign): Countersign => {
  const missing = ofProjects.filter((name) => countersign[name] === undefined)
  const refuse = (): never => {
    throw new CommandFailed('the database has no tables of the part projects; `countersign migrate --part projects` makes them')
  }
  const members = Object.fromEntries(missing.map((name) => [name, { get: refuse }]))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The members of projects are there, or fail.
  return Object.defineProperties({ ...countersign }, members) as Countersign
}

/**
 * Opens `Countersign` with the parts of the configured database while `work` runs, and logs each change. @throws CommandFailed for
 * pending migrations, and for a missing file: a mistyped path must not become an empty database @throws StartupError if the only
 * installation of the database is in another place
 */
export const withCountersign = async <T>(
  context: Pick<CommandContext, 'env' | 'stderr'>,
  work: (countersign: Countersign, storage: MigratedStorage, log: ChangeLog) => Promise<T>,
): Promise<T> => {
  const { openCountersign, readConfig, requireOneInstallation, shownDatabase } = await import('@countersign/server')
  const config = readConfig(context.env)
  warnOfUnread(config, context)
  if (isMissingFile(config.databaseUrl))
    throw new CommandFailed(`the database ${whereMissing(shownDatabase(config.databaseUrl))}`)
  const log = await openChangeLog(context)
  const { countersign, storage, close } = await openCountersign({ ...config, parts: undefined }, { logger: log.ofCore })
  try {
    await requireOneInstallation(storage, config.databaseUrl)
    const { pending } = await storage.migrationStatus()
    if (pending.length > 0) throw new CommandFailed('the database has pending migrations; run `countersign migrate` first')
    return await work(withMissingParts(withChangeLog(countersign, log)), storage, log)
  } finally {
    await close()
    log.close()
  }
}
