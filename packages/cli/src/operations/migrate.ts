import { oldSpellings } from '@countersign/core/storage'
import { openChangeLog } from '../shared/change-log.ts'
import type { CliCommand } from '../shared/cli-command.ts'
import type { CommandContext } from '../shared/command-context.ts'
import { table } from '../shared/listing.ts'
import { withStorage } from '../shared/open-database.ts'
import type { Answer } from '../shared/output.ts'
import { examineEmails } from './doctor/emails.ts'

const status = (context: CommandContext): Promise<Answer> =>
  withStorage(context, async (storage) => {
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

const apply = (context: CommandContext): Promise<Answer> =>
  withStorage(context, async (storage) => {
    const log = await openChangeLog(context)
    const say = (sentence: string) => void context.stderr.write(`${sentence}\n`)
    const applied = await storage.migrate({ onWait: say })
    if (applied.length > 0) log.info('migrated', { applied })
    log.close()
    const emails = examineEmails(await oldSpellings(storage))
    if (emails !== undefined) say(`Emails: ${emails.detail}`)
    const text = applied.length === 0 ? 'The schema is up to date' : applied.map((name) => `Applied ${name}`)
    return { json: { applied }, text }
  })

/** `countersign migrate`: brings the schema up to date. */
export const addMigrateCommand = (program: CliCommand): void => {
  program
    .command('migrate')
    .description('Bring the schema of the database up to date, under a lock')
    .option('--status', 'only list applied and pending migrations')
    .example('countersign migrate --status')
    .answer(({ status: onlyStatus }: { readonly status?: boolean }) =>
      onlyStatus ? status(program.context) : apply(program.context),
    )
}
