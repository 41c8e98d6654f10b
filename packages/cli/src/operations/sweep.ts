import type { Countersign, SweptKind, SweptRows } from '@countersign/core'
import type { CliCommand } from '../shared/cli-command.ts'
import type { CommandContext } from '../shared/command-context.ts'
import { CommandFailed } from '../shared/failures.ts'
import { table } from '../shared/listing.ts'
import { withCountersign } from '../shared/open-database.ts'
import type { Flags } from '../shared/option-values.ts'
import type { Answer } from '../shared/output.ts'

type Sweep = Flags<'dryRun'>

const explanation = `
Every server sweeps once a minute by itself. The settings COUNTERSIGN_RETENTION_… say how
long finished records are kept: give this command those of the servers.

Example:
  $ countersign sweep --dry-run`

const describeSwept = (rows: SweptRows, { dryRun = false }: Sweep): Answer => {
  const listed = Object.entries(rows).map(([kind, count]) => ({ kind, [dryRun ? 'would be deleted' : 'deleted']: count }))
  return { json: { dryRun, rows }, text: table(listed, 'There is nothing to delete.') }
}

/**
 * Refuses a misspelt setting of retention: with the default in its place, the sweep could delete what was to be kept. Returns a
 * warning if approvals are kept longer than the setting asks for.
 */
const checkRetention = async ({ env }: Pick<CommandContext, 'env'>): Promise<readonly string[]> => {
  const { keptLonger, readConfig } = await import('@countersign/server')
  const config = readConfig(env)
  const misspelt = config.unknownVariables.find(({ name }) => /RETENTION|DAYS/i.test(name))
  if (misspelt !== undefined)
    throw new CommandFailed(`${misspelt.name} is no setting; perhaps ${misspelt.nearest} is meant. Nothing is deleted.`)
  const longer = keptLonger(config)
  return longer === undefined ? [] : [`COUNTERSIGN_RETENTION_APPROVALS_DAYS: ${longer}`]
}

/** Sweeps until the end or a signal, after which the running step is finished. A sweep that ends early says what it deleted. */
export const sweepUntilStopped = async (
  countersign: Pick<Countersign, 'sweep'>,
  { stderr }: Pick<CommandContext, 'stderr'>,
): Promise<SweptRows> => {
  const rows: Partial<Record<SweptKind, number>> = {}
  let stopped: string | undefined
  const stop = (signal: string): void => {
    stopped = signal
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    return await countersign.sweep((kind, count) => {
      rows[kind] = (rows[kind] ?? 0) + count
      if (stopped !== undefined) throw new CommandFailed(`stopped by ${stopped}; another sweep deletes the rest`)
    })
  } catch (error) {
    const deleted = Object.entries(rows).map(([kind, count]) => `${count} ${kind}`)
    stderr.write(`Deleted before the end: ${deleted.length === 0 ? 'nothing' : deleted.join(', ')}\n`)
    throw error
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}

export const addSweepCommand = (program: CliCommand): void => {
  program
    .add('sweep', 'Delete expired rows, and the records whose retention has passed')
    .option('--dry-run', 'only count, by kind')
    .addHelpText('after', explanation)
    .answer(async (options: Sweep) => {
      const warnings = await checkRetention(program.context)
      return withCountersign(program.context, async (countersign) => ({
        ...describeSwept(
          await (options.dryRun ? countersign.sweepable() : sweepUntilStopped(countersign, program.context)),
          options,
        ),
        warnings,
      }))
    })
}
