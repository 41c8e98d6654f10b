import { useCaseBinders } from '../bind-use-cases.ts'
import { NothingToChange } from '../errors.ts'
import { storableText, text } from '../input-schemas.ts'
import type { SchemaNotes } from '../json-schema/check-new-schema.ts'
import { type Compatibility, checkVersion } from './check-version.ts'
import { showVersion } from './read-versions.ts'
import { type NewVersion, newVersionShape, registerVersion } from './register-version.ts'
import type { Registry, RegistryDeps, RegistryStorage } from './registry.ts'
import type { SchemaEntry, SchemaEntryWithText } from './schema-entry.ts'

/** Names a registered version. */
export interface ByKey {
  readonly key: string
}

export const bindRegistry = <Stores, T extends SchemaEntryWithText, Definition extends string>(
  registry: Registry<Stores, T, Definition>,
  deps: RegistryDeps<Stores>,
) => {
  type Defined<Input> = Input & Readonly<Record<Definition, string>>
  const { shaped } = useCaseBinders(deps)
  const definition = { [registry.definition]: text } as Record<Definition, typeof text>
  const byKey = { key: storableText }
  return {
    register: shaped<Defined<NewVersion>, SchemaEntry & SchemaNotes>({ ...newVersionShape, ...definition }, (_, input) =>
      registerVersion(registry, deps, input),
    ),
    check: shaped<Defined<{ readonly type: string }>, Compatibility>({ type: text, ...definition }, (_, input) =>
      checkVersion(registry, deps, input),
    ),
    show: shaped<ByKey, T>(byKey, (_, input) => showVersion(registry, deps, input)),
    /**
     * Activates a registered version. Running servers follow within a second.
     * @throws ActionTypeNotFound or ProductSchemaNotFound, NothingToChange
     * @example await countersign.actionTypes.activate({ key })
     */
    activate: shaped<ByKey, SchemaEntry>(byKey, (_, { key }) => setActive(registry, deps, { key, active: true })),
    /**
     * Deactivates a registered version. Running servers follow within a second. What was made with it stays.
     * @throws ActionTypeNotFound or ProductSchemaNotFound, NothingToChange
     * @example await countersign.actionTypes.deactivate({ key })
     */
    deactivate: shaped<ByKey, SchemaEntry>(byKey, (_, { key }) => setActive(registry, deps, { key, active: false })),
  }
}

/** Activates or deactivates a registered version, uncompared: a way back must always be possible. @throws NothingToChange */
async function setActive<Stores, T extends SchemaEntryWithText>(
  { store, errors }: Pick<Registry<Stores, T, string>, 'store' | 'errors'>,
  { storage }: RegistryStorage<Stores>,
  { key, active }: { readonly key: string; readonly active: boolean },
): Promise<SchemaEntry> {
  const entry = await storage.transaction(async (tx) => {
    const registry = store(tx)
    await registry.hold()
    if ((await registry.byKey(key))?.active === active) {
      throw new NothingToChange(`The version is ${active ? 'active already' : 'not active'}`)
    }
    return registry.setActive(key, active)
  })
  if (entry === undefined) throw new errors.NotFound()
  return entry
}
