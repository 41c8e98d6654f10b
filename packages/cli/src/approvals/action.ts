import type { ActionType, ActionTypeRegistry } from '@countersign/core'
import type { Command } from 'commander'
import type { CommandContext } from '../shared/command-context.ts'
import { exitCodes } from '../shared/exit-codes.ts'
import { facts, table } from '../shared/listing.ts'
import { withCountersign } from '../shared/open-database.ts'
import { type Answer, answering } from '../shared/output.ts'
import { readDefinitionFile } from '../shared/read-definition-file.ts'
import { schemaWarnings } from '../shared/schema-warnings.ts'
import { addActionPolicyCommand } from './action-policy.ts'

interface Register {
  readonly type: string
  readonly version: string
  readonly title?: string
  readonly inactive?: boolean
  readonly allowBreaking?: boolean
}

const toJson = ({ registeredAt, ...entry }: ActionType) => ({ ...entry, registeredAt: new Date(registeredAt).toISOString() })

const toRow = ({ key, title, active, requiredFields }: ActionType) => ({ key, title, active, required: requiredFields })

/** Rows for all versions. Only the whole registry shows which version of a type applies. */
const toRows = async ({ actionTypes }: ActionTypeRegistry) => {
  const { newestActive } = await import('@countersign/core')
  return actionTypes.map((entry) => {
    const { required, ...row } = toRow(entry)
    return { ...row, applies: newestActive(actionTypes, entry.type)?.key === entry.key, required }
  })
}

const changed = (entry: ActionType, sentence: string): Answer => ({ json: toJson(entry), text: sentence })

/** `countersign action …`: the action types of a host, with their schemas and displays. */
export const addActionCommands = (program: Command, context: CommandContext): void => {
  const action = program.command('action').description('Register, list and switch action types')

  action
    .command('register')
    .description('register a version of an action type; it never changes, and running servers use it within a second')
    .argument('<file>', 'JSON with the members schema (draft-07) and display')
    .requiredOption('--type <type>', 'the action type')
    .requiredOption('--version <version>', 'major.minor.patch; the newest active version of a type applies')
    .option('--title <title>', 'display name; by default the title in the schema')
    .option('--inactive', 'register the version without activating it')
    .option('--allow-breaking', 'register the version even if it refuses payloads that the active version accepts')
    .addHelpText('after', '\nExample:\n  $ countersign action register transfer.json --type wire_transfer --version 1.0.0')
    .action(
      answering(context, async (file: string, { inactive, ...given }: Register) => {
        const definitionText = await readDefinitionFile(file)
        const { uncheckedFormats, ...entry } = await withCountersign(context, ({ actionTypes }) =>
          actionTypes.register({ ...given, definitionText, active: inactive !== true }),
        )
        const answer = changed(entry, `Registered ${entry.key}${entry.active ? '' : ', not active'}`)
        return { ...answer, warnings: schemaWarnings({ uncheckedFormats }) }
      }),
    )

  action
    .command('list')
    .description('list all registered versions and mark those that apply: the newest active version of each type')
    .addHelpText('after', '\nExample:\n  $ countersign action list')
    .action(
      answering(context, async () => {
        const registry = await withCountersign(context, ({ actionTypes }) => actionTypes.list())
        const rows = await toRows(registry)
        return {
          json: { version: registry.version, actionTypes: registry.actionTypes.map(toJson) },
          text: (screen) => table(rows, { screen, empty: 'There are no registered action types.' }),
        }
      }),
    )

  action
    .command('show')
    .description('show a registered version')
    .argument('<key>', 'action_schema:<type>:v<version>')
    .option('--definition', 'print only the schema and the display, as they were registered')
    .addHelpText('after', '\nExample:\n  $ countersign action show action_schema:wire_transfer:v1.0.0 --definition')
    .action(
      answering(context, async (key: string, { definition: wantsDefinition }: { readonly definition?: boolean }) => {
        const { schemaText, displayText, ...entry } = await withCountersign(context, ({ actionTypes }) =>
          actionTypes.show({ key }),
        )
        const definition = { schema: JSON.parse(schemaText) as unknown, display: JSON.parse(displayText) as unknown }
        if (wantsDefinition === true) return { json: definition, text: JSON.stringify(definition, null, 2).split('\n') }
        return { json: { ...toJson(entry), ...definition }, text: (screen) => facts(toRow(entry), screen) }
      }),
    )

  action
    .command('activate')
    .description('activate a registered version; it applies if it is the newest active version of its type')
    .argument('<key>', 'action_schema:<type>:v<version>')
    .addHelpText('after', '\nExample:\n  $ countersign action activate action_schema:wire_transfer:v1.1.0')
    .action(
      answering(context, async (key: string) => {
        const entry = await withCountersign(context, ({ actionTypes }) => actionTypes.activate({ key }))
        return changed(entry, `Activated ${entry.key}`)
      }),
    )

  action
    .command('deactivate')
    .description('deactivate a registered version; pending confirmations keep what they show')
    .argument('<key>', 'action_schema:<type>:v<version>')
    .addHelpText('after', '\nExample:\n  $ countersign action deactivate action_schema:wire_transfer:v1.1.0')
    .action(
      answering(context, async (key: string) => {
        const entry = await withCountersign(context, ({ actionTypes }) => actionTypes.deactivate({ key }))
        return changed(entry, `Deactivated ${entry.key}`)
      }),
    )

  action
    .command('check')
    .description('check whether a definition accepts everything that the active version of a type accepts; exits with 1 if not')
    .argument('<file>', 'JSON with the members schema (draft-07) and display')
    .requiredOption('--type <type>', 'the action type')
    .addHelpText('after', '\nExample:\n  $ countersign action check transfer.json --type wire_transfer')
    .action(
      answering(context, async (file: string, { type }: { readonly type: string }) => {
        const definitionText = await readDefinitionFile(file)
        const { compatible, breaking, ...notes } = await withCountersign(context, ({ actionTypes }) =>
          actionTypes.check({ type, definitionText }),
        )
        const rows = breaking.map(({ field, reason }) => ({ field, reason }))
        return {
          json: { compatible, breaking: rows },
          text: (screen) => table(rows, { screen, empty: 'Compatible' }),
          warnings: schemaWarnings(notes),
          exitCode: compatible ? exitCodes.success : exitCodes.failed,
        }
      }),
    )

  addActionPolicyCommand(action, context)
}
