import type { SchemaEntry, SchemaEntryWithText } from './schema-entry.ts'

/** A registry of versioned schemas. Its version rises in the transaction of every change. */
export interface SchemaRegistryStore<T extends SchemaEntryWithText> {
  /**
   * Returns the version of the registry; 0 before the first change. Every use of a type calls this method, so it should be fast.
   * A change by another process is visible within a second.
   */
  registryVersion(): Promise<number>
  /**
   * Locks the registry until the transaction ends. Other changes of the registry wait. Every transaction that changes the registry
   * calls this method first.
   */
  hold(): Promise<void>
  /** Returns the version of the registry and all entries, in any order, from one moment. */
  registry(): Promise<{ readonly version: number; readonly schemas: readonly SchemaEntry[] }>
  /** Returns the version of the registry and the active entries with their texts, in any order, from one moment. */
  active(): Promise<{ readonly version: number; readonly schemas: readonly T[] }>
  byKey(key: string): Promise<T | undefined>
  /** Adds an entry. Returns `false`, and adds nothing, if the key is taken (a unique index decides). */
  register(entry: T): Promise<boolean>
  /** Returns the changed entry; `undefined` if no entry has the key. The version rises only when `active` changes. */
  setActive(key: string, active: boolean): Promise<SchemaEntry | undefined>
}
