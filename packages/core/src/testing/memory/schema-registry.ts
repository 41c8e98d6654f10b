import type { SchemaEntry, SchemaEntryWithText } from '../../shared/schema-registry/schema-entry.ts'
import type { SchemaRegistryStore } from '../../shared/schema-registry/store.ts'
import { insert, type Run, type Tables } from './tables.ts'

/** The tables of a registry. */
interface RegistryTables<T> {
  readonly entries: (tables: Tables) => Map<string, T>
  readonly version: 'registryVersion' | 'actionTypesVersion'
}

const listed = ({ key, type, version, title, active, requiredFields, registeredAt }: SchemaEntry): SchemaEntry => ({
  key,
  type,
  version,
  title,
  active,
  requiredFields,
  registeredAt,
})

export const memorySchemaRegistry = <T extends SchemaEntryWithText>(
  run: Run,
  { entries, version }: RegistryTables<T>,
): SchemaRegistryStore<T> => ({
  registryVersion: () => run((tables) => tables[version]),
  // Nothing to lock: transactions run one after another.
  hold: () => run(() => {}),
  registry: () => run((tables) => ({ version: tables[version], schemas: [...entries(tables).values()].map(listed) })),
  active: () =>
    run((tables) => ({ version: tables[version], schemas: [...entries(tables).values()].filter(({ active }) => active) })),
  byKey: (key) => run((tables) => entries(tables).get(key)),
  register: (entry) =>
    run((tables) => {
      if (entries(tables).has(entry.key)) return false
      insert(entries(tables), entry.key, entry)
      tables[version] += 1
      return true
    }),
  setActive: (key, active) =>
    run((tables) => {
      const entry = entries(tables).get(key)
      if (entry === undefined) return undefined
      if (entry.active !== active) {
        entries(tables).set(key, { ...entry, active })
        tables[version] += 1
      }
      return listed({ ...entry, active })
    }),
})
