import type { ShapedInput } from '../bind-use-cases.ts'
import { checkedLabel } from '../check-label.ts'
import { text, trueOrFalse } from '../input-schemas.ts'
import type { SchemaNotes } from '../json-schema/check-new-schema.ts'
import type { CheckedSchema } from '../json-schema/check-schema.ts'
import { loadSchemaEngine, type SchemaEngine } from '../json-schema/load-engine.ts'
import { breakingForActive } from './check-version.ts'
import type { Registry, RegistryDeps, RegistryStorage } from './registry.ts'
import { checkedVersion, requiredFieldsOf, type SchemaEntry, type SchemaEntryWithText } from './schema-entry.ts'

export const newVersionShape = {
  /** `[a-z][a-z0-9_-]{0,63}` */
  type: text,
  /** `major.minor.patch` */
  version: text,
  /** The title of the schema by default, or the type. */
  title: text.optional(),
  /** `true` by default. */
  active: trueOrFalse.optional(),
  /** Allows a version that refuses values which the active version accepts. `false` by default. */
  allowBreaking: trueOrFalse.optional(),
}

/** A new version of a type, without its definition. */
export interface NewVersion extends ShapedInput<typeof newVersionShape> {}

/**
 * Registers a version, which never changes, after comparing it with the newest active one. Servers use it within a second.
 * @throws Invalid, and ActionTypeTaken, ActionTypeBreaks, ActionTypesChangedMeanwhile or the same errors of product schemas
 * @example const { key } = await countersign.productSchemas.register({ type: 'door', version: '1.0.0', schemaText })
 */
export async function registerVersion<Stores, T extends SchemaEntryWithText, Definition extends string>(
  registry: Registry<Stores, T, Definition>,
  deps: RegistryDeps<Stores>,
  input: NewVersion & Readonly<Record<Definition, string>>,
): Promise<SchemaEntry & SchemaNotes> {
  const type = registry.checkType(input.type)
  const version = checkedVersion(input.version)
  const engine = await loadSchemaEngine()
  const { checked, texts } = registry.read(input[registry.definition], engine)
  engine.compileSchema(checked)
  const { title = '' } = checked.schema
  const entry = {
    key: registry.key(type, version),
    type,
    version,
    title: checkedLabel('title', input.title ?? (typeof title === 'string' ? title : '')) || type,
    active: input.active ?? true,
    requiredFields: requiredFieldsOf(checked.schema),
    registeredAt: deps.clock.now(),
  }
  const added = { ...entry, ...texts, schemaText: checked.text } as unknown as T
  await addUnlessBreaking(registry, deps, { engine, checked, entry: added, allowBreaking: input.allowBreaking === true })
  return { ...entry, uncheckedFormats: checked.uncheckedFormats }
}

interface Checked<T> {
  readonly engine: SchemaEngine
  readonly checked: CheckedSchema
  readonly entry: T
  readonly allowBreaking: boolean
}

const TRIES = 3

/** The comparison takes long, so it runs outside of the transaction, and is repeated if the registry changed meanwhile. */
const addUnlessBreaking = async <Stores, T extends SchemaEntryWithText>(
  { store, errors }: Pick<Registry<Stores, T, string>, 'store' | 'errors'>,
  { storage }: RegistryStorage<Stores>,
  { engine, checked, entry, allowBreaking }: Checked<T>,
): Promise<void> => {
  const taken = `${entry.key} is registered already; a registered version never changes`
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const { version, schemas } = await store(storage).active()
    const { activeVersion = '', breaking } = breakingForActive(engine, schemas, entry.type, checked)
    const added = await storage.transaction(async (tx) => {
      const registry = store(tx)
      await registry.hold()
      if ((await registry.byKey(entry.key)) !== undefined) throw new errors.Taken(taken)
      if ((await registry.registryVersion()) !== version) return false
      if (breaking.length > 0 && !allowBreaking) {
        const changes = breaking.map(({ field, reason }) => `${field}: ${reason}`).join('; ')
        throw new errors.Breaks(`The schema would refuse what version ${activeVersion} accepts: ${changes}`, breaking)
      }
      if (!(await registry.register(entry))) throw new errors.Taken(taken)
      return true
    })
    if (added) return
  }
  throw new errors.ChangedMeanwhile()
}
