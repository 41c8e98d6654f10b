import type { ProductSchema } from '@countersign/core'
import type { CliCommand } from '../shared/cli-command.ts'
import { addRegistryCommands, type RegistryCommands } from '../shared/registry-commands.ts'

export const addSchemaCommands = (program: CliCommand): void => {
  const schema = program.command('schema').description('Register, list and switch the schemas of product types')
  addRegistryCommands(schema, productSchemaCommands)
}

const toJson = async (entry: ProductSchema) => (await import('@countersign/server')).serializeProductSchema(entry)

const productSchemaCommands: RegistryCommands = {
  words: {
    registered: 'a schema',
    checked: 'a schema',
    file: 'the JSON Schema, draft-07',
    type: 'the product type',
    values: 'products',
    kept: 'existing products keep it',
    empty: 'There are no product schemas.',
    key: 'product_schema:<type>:v<version>',
    onlyDefinition: ['--schema', 'print only the schema itself'],
    examples: {
      register: 'hardware.json --type hardware --version 1.0.0',
      show: 'product_schema:software:v1.0.0 --schema',
      change: 'product_schema:software:v1.1.0',
      check: 'software.json --type software',
    },
  },
  register: ({ productSchemas }, schemaText, given) => productSchemas.register({ ...given, schemaText }),
  check: ({ productSchemas }, schemaText, type) => productSchemas.check({ type, schemaText }),
  list: ({ productSchemas }) => productSchemas.list(),
  show: async ({ productSchemas }, key) => {
    const entry = await productSchemas.show({ key })
    return { entry, definition: JSON.parse(entry.schemaText) as unknown, json: await toJson(entry) }
  },
  setActive: ({ productSchemas }, key, active) =>
    active ? productSchemas.activate({ key }) : productSchemas.deactivate({ key }),
  toJson,
  listToJson: async (registry) => (await import('@countersign/server')).serializeRegistry(registry),
}
