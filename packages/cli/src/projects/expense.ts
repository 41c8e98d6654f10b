import type { CliCommand } from '../shared/cli-command.ts'
import type { CommandContext } from '../shared/command-context.ts'

/** `countersign expense …`: expenses of projects, from other systems. */
export const addExpenseCommands = (program: CliCommand, context: CommandContext): void => {
  const expense = program.command('expense').description('Import the expenses of projects')

  expense
    .command('import')
    .description('add or update expenses by project and external id; all lines of the file, or none')
    .argument('<file>', 'NDJSON or CSV of projectCode, externalId, category, amount, currency, incurredAt')
    .addHelpText(
      'after',
      `
The categories are materials, labor and overhead. An amount is a decimal of at most
four places, in the currency of its project; a credit is negative. incurredAt is a
date as YYYY-MM-DD, or a timestamp with Z or an offset. The first line of CSV names the
columns. A bad line is named by its number.

Example:
  $ countersign expense import expenses.ndjson --json`,
    )
    .answer(async (file: string) => {
      const { importFile } = await import('./import-file.ts')
      return importFile(context, file, 'expense', ({ expenses }) => expenses.import)
    })
}
