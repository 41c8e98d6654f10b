import type { ArchivedConfirmation, PublishedReceiptKey } from '@countersign/core'
import type { CliCommand } from '../../shared/cli-command.ts'
import type { CommandContext } from '../../shared/command-context.ts'
import { type Confirmed, confirm, yesOption } from '../../shared/confirm.ts'
import { CommandFailed } from '../../shared/failures.ts'
import { withCountersign } from '../../shared/open-database.ts'
import { type Flags, instant, type Texts } from '../../shared/option-values.ts'
import type { Answer } from '../../shared/output.ts'
import { showBar } from '../../shared/progress-bar.ts'

interface Archive extends Confirmed, Texts<'tenant'>, Flags<'dryRun'> {
  readonly before: number
  readonly to: string
}

const explanation = `
Writes one line of JSON for each confirmation, with its receipt, and receipt-keys.json
beside it. Rows are deleted once their
receipts are checked and their lines are on the disk. Servers may run meanwhile;
what is broken off goes on when it is run again. Needs the keys of the servers.

Example:
  $ countersign archive --before 2025-01-01 --to archive --yes
  $ countersign receipt verify archive/confirmations-….ndjson --keys archive/receipt-keys.json`

/** Checks receipts offline. Rows are deleted after it, so what is not genuine stays. @throws CommandFailed for the first of it */
const requireGenuine = async (keys: readonly PublishedReceiptKey[]) => {
  const [{ verifyReceipt }, { serializeReceiptKeys }] = await Promise.all([
    import('@countersign/client-sdk/receipt'),
    import('@countersign/server'),
  ])
  const published = serializeReceiptKeys(keys)
  return async (confirmations: readonly ArchivedConfirmation[]): Promise<void> => {
    for (const { id, receipt } of confirmations) {
      if (receipt === null) continue
      const verdict = await verifyReceipt(receipt, { keys: published })
      if (verdict.verdict !== 'refused') continue
      const why = `${verdict.step}: ${verdict.reason}`
      throw new CommandFailed(`the receipt of ${id} proves nothing (${why}); it and all later confirmations stay in the database`)
    }
  }
}

const archive = (context: CommandContext, { before, tenant, to, dryRun = false, ...confirmed }: Archive): Promise<Answer> =>
  withCountersign(context, async ({ confirmations, receipts }) => {
    const waiting = await confirmations.countArchivable({ before, tenant })
    if (dryRun) return { json: { dryRun, confirmations: waiting }, text: `${waiting} confirmations would be archived` }
    if (waiting === 0) return { json: { dryRun, confirmations: 0, file: null }, text: 'There is nothing to archive.' }
    const warning = `This moves ${waiting} confirmations out of the database. Keep the files: no receipt can be made any more.`
    await confirm(context, confirmed, { warning, expected: String(waiting) })
    const { openArchive } = await import('./archive-file.ts')
    const keys = await receipts.keys()
    const check = await requireGenuine(keys)
    const file = await openArchive(to, keys)
    const bar = showBar(waiting, context.stderr, 'confirmations')
    try {
      const archived = await confirmations.archive({
        before,
        tenant,
        write: async (confirmations) => {
          await check(confirmations)
          await file.append(confirmations)
        },
        onProgress: (archived) => bar.update(archived),
      })
      return {
        json: { dryRun, confirmations: archived, file: file.path },
        text: `Archived ${archived} confirmations in ${file.path}`,
      }
    } finally {
      bar.stop()
      await file.close()
    }
  })

export const addArchiveCommand = (program: CliCommand): void => {
  program
    .add('archive', 'Move old confirmations out of the database into files that `receipt verify` reads')
    .requiredOption('--before <date>', 'those that were requested before this day or time, in UTC', instant)
    .option('--tenant <tenant>', 'only those in this tenant')
    .option('--to <directory>', 'where to write the files', '.')
    .option('--dry-run', 'only count')
    .option(...yesOption)
    .addHelpText('after', explanation)
    .answer((options: Archive) => archive(program.context, options))
}
