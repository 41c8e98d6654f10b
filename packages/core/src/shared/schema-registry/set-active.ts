import { NothingToChange } from '../errors.ts'
import type { Registry, RegistryStorage } from './registry.ts'
import type { SchemaEntry, SchemaEntryWithText } from './schema-entry.ts'

/**
 * Activates or deactivates a registered version. The version is not compared with the active version here: that happened at its
 * registration, and a way back must always be possible.
 *
 * @throws NothingToChange if the version has this state already
 */
export async function setActive<Stores, T extends SchemaEntryWithText>(
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
