import type { CliCommand } from '../shared/cli-command.ts'
import type { CommandContext } from '../shared/command-context.ts'

/** `countersign resource …`: tasks, orders and deliveries of projects, from other systems. */
export const addResourceCommands = (program: CliCommand, context: CommandContext): void => {
  const resource = program.command('resource').description('Import the resources of projects')

  resource
    .command('import')
    .description('add or update resources by project, type and external id; all lines of the file, or none')
    .argument('<file>', 'NDJSON or CSV of projectCode, type, externalId, name, status')
    .addHelpText(
      'after',
      `
The types are Task, PurchaseRequest, PurchaseOrder, Delivery and ProductionOrder.
The first line of CSV names the columns. A bad line is named by its number.

Example:
  $ countersign resource import resources.csv --json`,
    )
    .answer(async (file: string) => {
      const { importFile } = await import('./import-file.ts')
      return importFile(context, file, 'resource', ({ resources }) => resources.import)
    })
}
