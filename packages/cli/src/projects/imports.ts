import type { Countersign } from '@countersign/core'
import type { CliCommand } from '../shared/cli-command.ts'

const imports = {
  resource: {
    description: 'add or update resources by project, type and external id; all lines of the file, or none',
    file: 'NDJSON or CSV of projectCode, type, externalId, name, status',
    explanation: `
The types are Task, PurchaseRequest, PurchaseOrder, Delivery and ProductionOrder.
The first line of CSV names the columns. A bad line is named by its number.

Example:
  $ countersign resource import resources.csv --json`,
    choose: ({ resources }: Countersign) => resources.import,
  },
  expense: {
    description: 'add or update expenses by project and external id; all lines of the file, or none',
    file: 'NDJSON or CSV of projectCode, externalId, category, amount, currency, incurredAt',
    explanation: `
The categories are materials, labor and overhead. An amount is a decimal of at most
four places, in the currency of its project; a credit is negative. incurredAt is a
date as YYYY-MM-DD, or a timestamp with Z or an offset. The first line of CSV names the
columns. A bad line is named by its number.

Example:
  $ countersign expense import expenses.ndjson --json`,
    choose: ({ expenses }: Countersign) => expenses.import,
  },
} as const

export const addImportCommands = (program: CliCommand): void => {
  for (const kind of ['resource', 'expense'] as const) {
    const { description, file, explanation, choose } = imports[kind]
    program
      .command(kind)
      .description(`Import the ${kind}s of projects`)
      .command('import')
      .description(description)
      .argument('<file>', file)
      .addHelpText('after', explanation)
      .answer(async (path: string) => {
        const { importFile } = await import('./import-file.ts')
        return importFile(program.context, path, kind, choose)
      })
  }
}
