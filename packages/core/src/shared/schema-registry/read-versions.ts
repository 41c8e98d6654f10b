import type { Registry, RegistryStorage } from './registry.ts'
import type { SchemaEntry, SchemaEntryWithText } from './schema-entry.ts'
import { compareSchemaVersions } from './schema-version.ts'

/** The list of registered versions. */
export interface RegisteredVersions {
  /** An integer that rises with every change of the registry. */
  readonly version: number
  /** Sorted by type, then from the oldest to the newest version. */
  readonly schemas: readonly SchemaEntry[]
}

/** Returns all versions of all types. @example const { schemas } = await countersign.productSchemas.list() */
export async function listVersions<Stores, T extends SchemaEntryWithText>(
  { store }: Pick<Registry<Stores, T, string>, 'store'>,
  { storage }: RegistryStorage<Stores>,
): Promise<RegisteredVersions> {
  const { version, schemas } = await store(storage).registry()
  return { version, schemas: [...schemas].sort(byTypeAndVersion) }
}

/**
 * Returns a registered version with its texts. @throws ActionTypeNotFound or ProductSchemaNotFound
 * @example const { schemaText } = await countersign.productSchemas.show({ key })
 */
export async function showVersion<Stores, T extends SchemaEntryWithText>(
  { store, errors }: Pick<Registry<Stores, T, string>, 'store' | 'errors'>,
  { storage }: RegistryStorage<Stores>,
  { key }: { readonly key: string },
): Promise<T> {
  const entry = await store(storage).byKey(key)
  if (entry === undefined) throw new errors.NotFound()
  return entry
}

const byTypeAndVersion = (a: SchemaEntry, b: SchemaEntry): number => {
  if (a.type !== b.type) return a.type < b.type ? -1 : 1
  return compareSchemaVersions(a.version, b.version)
}
