import type { Compatibility, Countersign, ProductSchema, ProductSchemaRegistry, SchemaNotes } from '@countersign/core'
import type { CliCommand } from './cli-command.ts'
import { facts, table } from './listing.ts'
import { withCountersign } from './open-database.ts'
import type { Flags, Texts } from './option-values.ts'
import type { Answer } from './output.ts'
import { readDefinitionFile } from './read-definition-file.ts'

interface OfType extends Texts<'tenant'> {
  readonly type: string
}

interface Registered extends Texts<'title'>, Flags<'allowBreaking'> {
  readonly type: string
  readonly version: string
  readonly active: boolean
}

/** The differences between the commands of product schemas and of action types. */
export interface RegistryCommands {
  /** For the help of the commands. */
  readonly words: {
    readonly registered: string
    readonly checked: string
    readonly file: string
    readonly type: string
    /** The meaning of a type for one tenant, in a registry that has such types. */
    readonly tenant?: string
    /** The things that a schema accepts, in words: `products`. */
    readonly values: string
    /** The things that stay valid after `deactivate`, in words. */
    readonly kept: string
    readonly empty: string
    readonly key: string
    readonly onlyDefinition: readonly [flag: string, description: string]
    readonly examples: { readonly register: string; readonly show: string; readonly change: string; readonly check: string }
  }
  register(countersign: Countersign, definitionText: string, given: Registered): Promise<ProductSchema & SchemaNotes>
  check(countersign: Countersign, definitionText: string, type: string): Promise<Compatibility>
  list(countersign: Countersign): Promise<ProductSchemaRegistry>
  show(countersign: Countersign, key: string): Promise<{ entry: ProductSchema; definition: unknown; json: unknown }>
  setActive(countersign: Countersign, key: string, active: boolean): Promise<ProductSchema>
  toJson(entry: ProductSchema): unknown
  listToJson(registry: ProductSchemaRegistry): unknown
}

const toRow = ({ key, title, active, requiredFields }: ProductSchema) => ({ key, title, active, required: requiredFields })

/** Rows for all versions. Only the whole registry shows which version of a type applies. */
const toRows = async ({ schemas }: ProductSchemaRegistry) => {
  const { newestActive } = await import('@countersign/core')
  return schemas.map((entry) => {
    const { required, ...row } = toRow(entry)
    return { ...row, applies: newestActive(schemas, entry.type)?.key === entry.key, required }
  })
}

/** Returns the type as the registry names it: a type for one tenant ends with the tenant. */
const typeOf = ({ type, tenant }: OfType): string => (tenant === undefined ? type : `${type}@${tenant}`)

const warningsOf = ({ uncheckedFormats }: SchemaNotes): readonly string[] =>
  uncheckedFormats.map((pointer) => `the schema has a note at ${pointer}, which is not checked; a pattern is checked`)

/** Adds `register`, `list`, `show`, `activate`, `deactivate` and `check` to the command of a registry of versioned schemas. */
export const addRegistryCommands = (parent: CliCommand, registry: RegistryCommands): void => {
  const { words } = registry
  const addType = (command: CliCommand): CliCommand => {
    command.requiredOption('--type <type>', words.type)
    return words.tenant === undefined ? command : command.option('--tenant <tenant>', words.tenant)
  }
  const changed = async (entry: ProductSchema, text: string): Promise<Answer> => ({ json: await registry.toJson(entry), text })

  addType(
    parent
      .add(
        'register',
        `register a version of ${words.registered}; it never changes, and running servers use it within a second`,
        words.examples.register,
      )
      .argument('<file>', words.file),
  )
    .requiredOption('--version <version>', 'major.minor.patch; the newest active version of a type applies')
    .option('--title <title>', 'display name; by default the title in the schema')
    .option('--inactive', 'register the version without activating it')
    .option('--allow-breaking', `register the version even if it refuses ${words.values} that the active version accepts`)
    .answer(async (file: string, options: OfType & Omit<Registered, 'active'> & Flags<'inactive'>) => {
      const { inactive, tenant: _, ...given } = options
      const definitionText = await readDefinitionFile(file)
      const { uncheckedFormats, ...entry } = await withCountersign(parent.context, (countersign) =>
        registry.register(countersign, definitionText, { ...given, type: typeOf(options), active: inactive !== true }),
      )
      const answer = await changed(entry, `Registered ${entry.key}${entry.active ? '' : ', not active'}`)
      return { ...answer, warnings: warningsOf({ uncheckedFormats }) }
    })

  parent
    .add('list', 'list all registered versions and mark those that apply: the newest active version of each type', '')
    .use(async (countersign) => {
      const versions = await registry.list(countersign)
      const rows = await toRows(versions)
      return { json: await registry.listToJson(versions), text: table(rows, words.empty) }
    })

  parent
    .add('show', 'show a registered version', words.examples.show)
    .argument('<key>', words.key)
    .option(...words.onlyDefinition)
    .use(async (countersign, key: string, options: Readonly<Record<string, boolean>>) => {
      const { entry, definition, json } = await registry.show(countersign, key)
      if (options[words.onlyDefinition[0].slice(2)] === true)
        return { json: definition, text: JSON.stringify(definition, null, 2).split('\n') }
      return { json, text: facts(toRow(entry)) }
    })

  for (const [name, active, effect] of [
    ['activate', true, 'it applies if it is the newest active version of its type'],
    ['deactivate', false, words.kept],
  ] as const) {
    parent
      .add(name, `${name} a registered version; ${effect}`, words.examples.change)
      .argument('<key>', words.key)
      .use(async (countersign, key: string) => {
        const entry = await registry.setActive(countersign, key, active)
        return changed(entry, `${active ? 'Activated' : 'Deactivated'} ${entry.key}`)
      })
  }

  addType(
    parent
      .add(
        'check',
        `check whether ${words.checked} accepts everything that the active version of a type accepts; exits with 1 if not`,
        words.examples.check,
      )
      .argument('<file>', words.file),
  ).answer(async (file: string, options: OfType) => {
    const definitionText = await readDefinitionFile(file)
    const { compatible, breaking, ...notes } = await withCountersign(parent.context, (countersign) =>
      registry.check(countersign, definitionText, typeOf(options)),
    )
    const rows = breaking.map(({ field, reason }) => ({ field, reason }))
    return {
      json: { compatible, breaking },
      text: table(rows, 'Compatible'),
      warnings: warningsOf(notes),
      failed: !compatible,
    }
  })
}
