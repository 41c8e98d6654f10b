import type { CliCommand } from '../shared/cli-command.ts'

/** `countersign receipt export`: the receipt of any approved confirmation. */
export const addReceiptExportCommand = (receipt: CliCommand): void => {
  receipt
    .command('export')
    .description('print the receipt of an approved confirmation; needs the keys of the servers')
    .argument('<id>', 'the id of the confirmation')
    .option('--scope <scope>', 'only if the confirmation is in this scope')
    .example('countersign receipt export conf_0b7e9a58-3d0f-4b43-9f1e-6f4f1f6f2a11 > receipt.txt')
    .use(async ({ receipts }, confirmationId: string, { scope }: { readonly scope?: string }) => {
      const text = await receipts.export({ confirmationId, scope })
      return { json: { receipt: text }, text }
    })
}
