import type { CliCommand } from '../shared/cli-command.ts'
import type { CommandContext } from '../shared/command-context.ts'
import { withCountersign } from '../shared/open-database.ts'

/** `countersign receipt export`: the receipt of any approved confirmation. */
export const addReceiptExportCommand = (receipt: CliCommand, context: CommandContext): void => {
  receipt
    .command('export')
    .description('print the receipt of an approved confirmation; needs the keys of the servers')
    .argument('<id>', 'the id of the confirmation')
    .option('--scope <scope>', 'only if the confirmation is in this scope')
    .example('countersign receipt export conf_0b7e9a58-3d0f-4b43-9f1e-6f4f1f6f2a11 > receipt.txt')
    .answer(async (confirmationId: string, { scope }: { readonly scope?: string }) => {
      const text = await withCountersign(context, ({ receipts }) => receipts.export({ confirmationId, scope }))
      return { json: { receipt: text }, text }
    })
}
