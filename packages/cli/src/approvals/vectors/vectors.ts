import { Option } from 'commander'
import type { CliCommand } from '../../shared/cli-command.ts'
import type { VectorKind } from './check-vectors.ts'

export const addVectorsCommands = (program: CliCommand): void => {
  const vectors = program.command('vectors').description('Test a verifier or a signer of your own')

  vectors
    .add('check', 'feed the test vectors to a command, and print what it answers wrongly; needs no database and no settings')
    .requiredOption('--command <command>', 'reads one JSON object a line, and answers { "verdict": …, "step": … } a line')
    .addOption(
      new Option('--only <kind>', 'only the vectors for verifiers, or only those for signers').choices(['receipts', 'signing']),
    )
    .addHelpText('after', "\nExample:\n  $ countersign vectors check --only receipts --command './my-verifier'")
    .answer(async ({ command, only }: { readonly command: string; readonly only?: VectorKind }) => {
      const { checkVectors, vectorKinds } = await import('./check-vectors.ts')
      const checked = await checkVectors(command, only === undefined ? vectorKinds : [only])
      const { cases, differences } = checked
      return {
        json: checked,
        text: [
          ...differences.map(({ kind, name, expected, answered }) => `${kind}: ${name}: ${answered} instead of ${expected}`),
          `${cases - differences.length} of ${cases} cases as expected`,
        ],
        failed: differences.length > 0,
      }
    })
}
