import type { ProductSchema, ProductSchemaRegistry } from '@countersign/core'
import type { Command } from 'commander'
import type { CommandContext } from '../shared/command-context.ts'
import { exitCodes } from '../shared/exit-codes.ts'
import { facts, table } from '../shared/listing.ts'
import { withCountersign } from '../shared/open-database.ts'
import { type Answer, answering } from '../shared/output.ts'
import { readDefinitionFile } from '../shared/read-definition-file.ts'
import { schemaWarnings } from '../shared/schema-warnings.ts'

interface Register {
  readonly type: string
  readonly version: string
  readonly title?: string
  readonly inactive?: boolean
  readonly allowBreaking?: boolean
}

/** A schema as in the HTTP interface. */
const toJson = async (entry: ProductSchema) => (await import('@countersign/server')).serializeProductSchema(entry)

const toRow = ({ key, title, active, requiredFields }: Awaited<ReturnType<typeof toJson>>) => ({
  key,
  title,
  active,
  required: requiredFields,
})

/** Rows for all schemas. Only the whole registry shows which version of a type applies. */
const toRows = async ({ schemas }: ProductSchemaRegistry) => {
  const { newestActive } = await import('@countersign/core')
  return Promise.all(
    schemas.map(async (entry) => {
      const { required, ...row } = toRow(await toJson(entry))
      return { ...row, applies: newestActive(schemas, entry.type)?.key === entry.key, required }
    }),
  )
}

const changed = async (entry: ProductSchema, sentence: string): Promise<Answer> => ({
  json: await toJson(entry),
  text: sentence,
})

/** `countersign schema …`: the JSON Schemas for the attributes of each product type. */
export const addSchemaCommands = (program: Command, context: CommandContext): void => {
  const schema = program.command('schema').description('Register, list and switch the schemas of product types')

  schema
    .command('register')
    .description('register a version of a schema; it never changes, and running servers use it within a second')
    .argument('<file>', 'the JSON Schema, draft-07')
    .requiredOption('--type <type>', 'the product type')
    .requiredOption('--version <version>', 'major.minor.patch; the newest active version of a type applies')
    .option('--title <title>', 'display name; by default the title in the schema')
    .option('--inactive', 'register the version without activating it')
    .option('--allow-breaking', 'register the version even if it refuses products that the active version accepts')
    .addHelpText('after', '\nExample:\n  $ countersign schema register hardware.json --type hardware --version 1.0.0')
    .action(
      answering(context, async (file: string, { type, version, title, inactive, allowBreaking }: Register) => {
        const schemaText = await readDefinitionFile(file)
        const entry = await withCountersign(context, ({ productSchemas }) =>
          productSchemas.register({ type, version, title, schemaText, active: inactive !== true, allowBreaking }),
        )
        const answer = await changed(entry, `Registered ${entry.key}${entry.active ? '' : ', not active'}`)
        return { ...answer, warnings: schemaWarnings(entry) }
      }),
    )

  schema
    .command('list')
    .description('list all registered versions and mark those that apply: the newest active version of each type')
    .addHelpText('after', '\nExample:\n  $ countersign schema list')
    .action(
      answering(context, async () => {
        const { serializeRegistry } = await import('@countersign/server')
        const registry = await withCountersign(context, ({ productSchemas }) => productSchemas.list())
        const rows = await toRows(registry)
        return {
          json: serializeRegistry(registry),
          text: (screen) => table(rows, { screen, empty: 'There are no product schemas.' }),
        }
      }),
    )

  schema
    .command('show')
    .description('show a registered version')
    .argument('<key>', 'product_schema:<type>:v<version>')
    .option('--schema', 'print only the schema itself')
    .addHelpText('after', '\nExample:\n  $ countersign schema show product_schema:software:v1.0.0 --schema')
    .action(
      answering(context, async (key: string, { schema: wantsSchema }: { readonly schema?: boolean }) => {
        const entry = await withCountersign(context, ({ productSchemas }) => productSchemas.show({ key }))
        if (wantsSchema === true) {
          const json: unknown = JSON.parse(entry.schemaText)
          return { json, text: JSON.stringify(json, null, 2).split('\n') }
        }
        const json = await toJson(entry)
        return { json, text: (screen) => facts(toRow(json), screen) }
      }),
    )

  schema
    .command('activate')
    .description('activate a registered version; it applies if it is the newest active version of its type')
    .argument('<key>', 'product_schema:<type>:v<version>')
    .addHelpText('after', '\nExample:\n  $ countersign schema activate product_schema:software:v1.1.0')
    .action(
      answering(context, async (key: string) => {
        const entry = await withCountersign(context, ({ productSchemas }) => productSchemas.activate({ key }))
        return changed(entry, `Activated ${entry.key}`)
      }),
    )

  schema
    .command('deactivate')
    .description('deactivate a registered version; existing products keep it')
    .argument('<key>', 'product_schema:<type>:v<version>')
    .addHelpText('after', '\nExample:\n  $ countersign schema deactivate product_schema:software:v1.1.0')
    .action(
      answering(context, async (key: string) => {
        const entry = await withCountersign(context, ({ productSchemas }) => productSchemas.deactivate({ key }))
        return changed(entry, `Deactivated ${entry.key}`)
      }),
    )

  schema
    .command('check')
    .description('check whether a schema accepts everything that the active version of a type accepts; exits with 1 if not')
    .argument('<file>', 'the JSON Schema, draft-07')
    .requiredOption('--type <type>', 'the product type')
    .addHelpText('after', '\nExample:\n  $ countersign schema check software.json --type software')
    .action(
      answering(context, async (file: string, { type }: { readonly type: string }) => {
        const schemaText = await readDefinitionFile(file)
        const { compatible, breaking, ...notes } = await withCountersign(context, ({ productSchemas }) =>
          productSchemas.check({ type, schemaText }),
        )
        return {
          json: { compatible, breaking },
          text: (screen) =>
            table(
              breaking.map(({ field, reason }) => ({ field, reason })),
              { screen, empty: 'Compatible' },
            ),
          warnings: schemaWarnings(notes),
          exitCode: compatible ? exitCodes.success : exitCodes.failed,
        }
      }),
    )
}
