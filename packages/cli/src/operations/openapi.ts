import type { Command } from 'commander'
import type { CommandContext } from '../shared/command-context.ts'
import { answering } from '../shared/output.ts'
import { readVersion } from '../shared/version.ts'

/** `countersign openapi`: the OpenAPI document of the HTTP interface. */
export const addOpenapiCommand = (program: Command, context: CommandContext): void => {
  program
    .command('openapi')
    .description('Print the OpenAPI 3.1 document of the HTTP interface')
    .addHelpText('after', '\nExample:\n  $ countersign openapi > openapi.json')
    .action(
      answering(context, async () => {
        const { openApiDocument } = await import('@countersign/contract/openapi')
        const document = openApiDocument({ version: readVersion() })
        return { json: document, text: JSON.stringify(document, null, 2).split('\n') }
      }),
    )
}
