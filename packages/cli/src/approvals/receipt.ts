import type { CliCommand } from '../shared/cli-command.ts'
import type { CommandContext } from '../shared/command-context.ts'
import { usageError } from '../shared/failures.ts'
import type { Texts } from '../shared/option-values.ts'
import { isArchive, verifyArchive } from './receipt-verify/verify-archive.ts'

const KEYS_PATH = '/.well-known/countersign/receipt-keys'

/** Returns the place of the issuer's keys. The person who verifies names it, and never the receipt. */
const placeOfKeys = ({ keys }: Texts<'keys'>, { env }: Pick<CommandContext, 'env'>): string => {
  const { COUNTERSIGN_RECEIPT_ISSUER: issuer = '' } = env
  if (keys !== undefined) return keys
  if (issuer !== '') return issuer.replace(/\/$/, '') + KEYS_PATH
  throw usageError("required option '--keys <file|url>' not specified")
}

const addExportCommand = (receipt: CliCommand): void => {
  receipt
    .add('export', 'print the receipt of an approved confirmation; needs the keys of the servers')
    .argument('<id>', 'the id of the confirmation')
    .option('--tenant <tenant>', 'only if the confirmation is in this tenant')
    .example('countersign receipt export conf_0b7e9a58-3d0f-4b43-9f1e-6f4f1f6f2a11 > receipt.txt')
    .use(async ({ receipts }, confirmationId: string, { tenant }: Texts<'tenant'>) => {
      const text = await receipts.export({ confirmationId, tenant })
      return { json: { receipt: text }, text }
    })
}

export const addReceiptCommands = (program: CliCommand): void => {
  const receipt = program.command('receipt').description('Export and verify the receipts of approvals')
  addExportCommand(receipt)

  receipt
    .add('verify', 'check a receipt offline, and say who approved what, when and with which device')
    .argument('<file>', 'the receipt, alone or as JSON; - is standard input; or an archive, whose name ends in .ndjson')
    .option('--keys <file|url>', 'the published keys of the issuer; by default those of COUNTERSIGN_RECEIPT_ISSUER')
    .example('countersign receipt verify receipt.txt --keys receipt-keys.json')
    .answer(async (file: string, options: Texts<'keys'>) => {
      const place = placeOfKeys(options, program.context)
      if (isArchive(file)) return verifyArchive(file, place)
      const [{ verifyReceipt }, { readReceipt }, { readKeys }, { describeVerdict }] = await Promise.all([
        import('@countersign/client-sdk/receipt'),
        import('./receipt-verify/read-receipt.ts'),
        import('./receipt-verify/read-keys.ts'),
        import('./receipt-verify/describe-verdict.ts'),
      ])
      const verdict = await verifyReceipt(await readReceipt(file, program.context), { keys: await readKeys(place) })
      return {
        json: verdict,
        text: describeVerdict(verdict),
        failed: verdict.verdict === 'refused',
      }
    })
}
