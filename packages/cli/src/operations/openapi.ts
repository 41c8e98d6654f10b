import type { CliCommand } from '../shared/cli-command.ts'
import { readVersion } from '../shared/version.ts'

export const addOpenapiCommand = (program: CliCommand): void => {
  program.add('openapi', 'Print the OpenAPI 3.1 document of the HTTP interface', '> openapi.json').answer(async () => {
    const { openApiDocument } = await import('@countersign/contract/openapi')
    const document = openApiDocument({ version: readVersion() })
    return { json: document, text: JSON.stringify(document, null, 2).split('\n') }
  })
}
