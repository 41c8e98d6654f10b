import type { ActionType } from '@countersign/core'
import { Option } from 'commander'
import type { CliCommand } from '../shared/cli-command.ts'
import { withIsoTimestamps } from '../shared/output.ts'
import { addRegistryCommands, type RegistryCommands } from '../shared/registry-commands.ts'
import { addActionPolicyCommand } from './action-policy.ts'
import { declareActionTypes, declaringPackages } from './action-type-declaration.ts'

export const addActionCommands = (program: CliCommand): void => {
  const action = program.command('action').description('Register, list and switch action types')
  addRegistryCommands(action, actionTypeCommands)
  addTypesCommand(action)
  addActionPolicyCommand(action)
}

const addTypesCommand = (action: CliCommand): void => {
  action
    .add('types', 'write the TypeScript file that declares the payloads of the registered types that apply')
    .addOption(
      new Option('--package <name>', 'the package that the app imports').choices(declaringPackages).default(declaringPackages[0]),
    )
    .example('countersign action types > action-types.d.ts')
    .use(async ({ actionTypes }, { package: packageName }: { readonly package: string }) => {
      const show = (key: string) => actionTypes.show({ key })
      const declaration = await declareActionTypes(await actionTypes.list(), show, packageName)
      return { json: { declaration }, text: declaration.split('\n') }
    })
}

const toJson = (entry: ActionType) => withIsoTimestamps(entry)

const actionTypeCommands: RegistryCommands = {
  words: {
    registered: 'an action type',
    checked: 'a definition',
    file: 'JSON with the members schema (draft-07) and display',
    type: 'the action type',
    tenant: 'for this tenant only, in which it comes before the type without a tenant',
    values: 'payloads',
    kept: 'pending confirmations keep what they show',
    empty: 'There are no registered action types.',
    key: 'action_schema:<type>:v<version>',
    onlyDefinition: ['--definition', 'print only the schema and the display, as they were registered'],
    examples: {
      register: 'transfer.json --type wire_transfer --version 1.0.0',
      show: 'action_schema:wire_transfer:v1.0.0 --definition',
      change: 'action_schema:wire_transfer:v1.1.0',
      check: 'transfer.json --type wire_transfer',
    },
  },
  register: ({ actionTypes }, definitionText, given) => actionTypes.register({ ...given, definitionText }),
  check: async ({ actionTypes }, definitionText, type) => {
    const { breaking, ...verdict } = await actionTypes.check({ type, definitionText })
    return { ...verdict, breaking: breaking.map(({ field, reason }) => ({ field, reason })) }
  },
  list: async ({ actionTypes }) => {
    const { version, actionTypes: schemas } = await actionTypes.list()
    return { version, schemas }
  },
  show: async ({ actionTypes }, key) => {
    const { schemaText, displayText, ...entry } = await actionTypes.show({ key })
    const definition = { schema: JSON.parse(schemaText) as unknown, display: JSON.parse(displayText) as unknown }
    return { entry, definition, json: { ...toJson(entry), ...definition } }
  },
  setActive: ({ actionTypes }, key, active) => (active ? actionTypes.activate({ key }) : actionTypes.deactivate({ key })),
  toJson,
  listToJson: ({ version, schemas }) => ({ version, actionTypes: schemas.map(toJson) }),
}
