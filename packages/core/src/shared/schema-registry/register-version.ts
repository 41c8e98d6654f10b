import type { CheckedSchema } from '../json-schema/check-schema.ts'
import type { BreakingChange } from '../json-schema/compatibility/breaking-change.ts'
import type { SchemaEngine } from '../json-schema/load-engine.ts'
import { breakingForActive } from './breaking-for-active.ts'
import type { SchemaEntryWithText } from './schema-entry.ts'
import type { SchemaRegistryStore } from './store.ts'

const TRIES = 3

/** The registry to write to: outside of a transaction, and inside one. */
export interface RegistryAccess<T extends SchemaEntryWithText> {
  readonly registry: Pick<SchemaRegistryStore<T>, 'active'>
  transaction<R>(work: (registry: SchemaRegistryStore<T>) => Promise<R>): Promise<R>
}

/** A new version, checked by the engine. */
export interface NewVersion<T extends SchemaEntryWithText> {
  readonly engine: SchemaEngine
  readonly checked: CheckedSchema
  readonly entry: T
  /** Allows a version that refuses values which the active version accepts. */
  readonly allowBreaking: boolean
}

/** The outcome of a registration. */
export type Registration =
  | { readonly outcome: 'registered' | 'taken' | 'changed_meanwhile' }
  | { readonly outcome: 'breaks'; readonly activeVersion: string; readonly breaking: readonly BreakingChange[] }

/**
 * Registers a version. The new version is compared with the newest active version, also when it is registered as inactive. The
 * comparison takes long, so it runs outside of the transaction, and is repeated if the registry changed meanwhile.
 */
export const registerVersion = async <T extends SchemaEntryWithText>(
  { registry, transaction }: RegistryAccess<T>,
  { engine, checked, entry, allowBreaking }: NewVersion<T>,
): Promise<Registration> => {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const { version, schemas } = await registry.active()
    const { activeVersion = '', breaking } = breakingForActive(engine, schemas, entry.type, checked)
    const outcome = await transaction(async (tx) => {
      await tx.hold()
      if ((await tx.byKey(entry.key)) !== undefined) return 'taken'
      if ((await tx.registryVersion()) !== version) return 'changed'
      if (breaking.length > 0 && !allowBreaking) return 'breaks'
      return (await tx.register(entry)) ? 'registered' : 'taken'
    })
    if (outcome === 'breaks') return { outcome, activeVersion, breaking }
    if (outcome !== 'changed') return { outcome }
  }
  return { outcome: 'changed_meanwhile' }
}
