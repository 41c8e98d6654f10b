import type { SweptRows } from '@countersign/core'
import type { Command } from 'commander'
import type { CommandContext } from '../shared/command-context.ts'
import { table } from '../shared/listing.ts'
import { withCountersign } from '../shared/open-database.ts'
import { type Answer, answering } from '../shared/output.ts'

interface Sweep {
  readonly dryRun?: boolean
}

const explanation = `
Every server sweeps once a minute by itself. The settings COUNTERSIGN_RETENTION_… say how
long finished records are kept: give this command those of the servers.

Example:
  $ countersign sweep --dry-run`

const describeSwept = (rows: SweptRows, { dryRun = false }: Sweep): Answer => {
  const listed = Object.entries(rows).map(([kind, count]) => ({ kind, [dryRun ? 'would be deleted' : 'deleted']: count }))
  return { json: { dryRun, rows }, text: (screen) => table(listed, { screen, empty: 'There is nothing to delete.' }) }
}

/** `countersign sweep`: deletes what no rule needs any more, or counts it. */
export const addSweepCommand = (program: Command, context: CommandContext): void => {
  program
    .command('sweep')
    .description('Delete expired rows, and the records whose retention has passed')
    .option('--dry-run', 'only count, by kind')
    .addHelpText('after', explanation)
    .action(
      answering(context, (options: Sweep) =>
        withCountersign(context, async (countersign) =>
          describeSwept(await (options.dryRun ? countersign.sweepable() : countersign.sweep()), options),
        ),
      ),
    )
}
