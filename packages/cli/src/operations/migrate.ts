import type { Part } from '@countersign/core'
import { oldSpellings } from '@countersign/core/storage'
import { InvalidArgumentError } from 'commander'
import { openChangeLog } from '../shared/change-log.ts'
import type { CliCommand } from '../shared/cli-command.ts'
import type { CommandContext } from '../shared/command-context.ts'
import { CommandFailed } from '../shared/failures.ts'
import { table } from '../shared/listing.ts'
import { withStorage } from '../shared/open-database.ts'
import type { Flags } from '../shared/option-values.ts'
import type { Answer } from '../shared/output.ts'
import { examineEmails } from './doctor/emails.ts'

interface Migrate extends Flags<'status' | 'newInstallation'> {
  readonly part: readonly Part[]
}

const status = (context: CommandContext, { part }: Migrate): Promise<Answer> =>
  withStorage(context, part, async (storage) => {
    const { applied, pending, newer } = await storage.migrationStatus()
    const rows = [
      ...applied.map((migration) => ({ migration, state: 'applied' })),
      ...pending.map((migration) => ({ migration, state: 'pending' })),
      ...newer.map((migration) => ({ migration, state: 'of a newer version' })),
    ]
    // The field `newer` is added only when it has content: scripts know the other two.
    return {
      json: { applied, pending, ...(newer.length > 0 && { newer }) },
      text: table(rows, 'There are no migrations.'),
    }
  })

const apply = (context: CommandContext, { part, newInstallation = false }: Migrate): Promise<Answer> =>
  withStorage(context, part, async (storage, { databaseUrl }) => {
    const { requireOneInstallation } = await import('@countersign/server')
    if (!newInstallation) await requireOneInstallation(storage, databaseUrl)
    const log = await openChangeLog(context)
    const say = (sentence: string) => void context.stderr.write(`${sentence}\n`)
    const applied = await storage.migrate({ onWait: say }).catch(async (error: unknown) => {
      const { foreignTables } = await storage.migrationStatus().catch(() => ({ foreignTables: [] }))
      if (foreignTables.length === 0) throw error
      throw new CommandFailed(`tables of another program are in the place of ours: ${foreignTables.join(', ')}`, { cause: error })
    })
    if (applied.length > 0) log.info('migrated', { applied })
    log.close()
    const emails = examineEmails(await oldSpellings(storage))
    if (emails !== undefined) say(`Emails: ${emails.detail}`)
    const text = applied.length === 0 ? 'The schema is up to date' : applied.map((name) => `Applied ${name}`)
    return { json: { applied }, text }
  })

const PARTS = ['identity', 'approvals', 'projects'] as const satisfies readonly Part[]

const addPart = (text: string, before: readonly Part[]): readonly Part[] => {
  const part = PARTS.find((one) => one === text)
  if (part === undefined) throw new InvalidArgumentError(`It is one of ${PARTS.join(', ')}.`)
  return [...before, part]
}

const explanation = `
An empty database gets all parts, or those that are named. Identity and approvals always come
together. Another database keeps the parts that it has, and gets those that are named. Without
--part, COUNTERSIGN_PARTS names parts.

Example:
  $ countersign migrate --status`

export const addMigrateCommand = (program: CliCommand): void => {
  program
    .add('migrate', 'Bring the schema of the database up to date, under a lock')
    .option('--status', 'only list applied and pending migrations')
    .option('--part <part>', `a part whose tables are made: ${PARTS.join(', ')}; repeatable`, addPart, [])
    .option('--new-installation', 'also if the database has an installation in another schema')
    .addHelpText('after', explanation)
    .answer((options: Migrate) => (options.status ? status(program.context, options) : apply(program.context, options)))
}
