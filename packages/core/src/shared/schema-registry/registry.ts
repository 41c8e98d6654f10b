import type { Clock } from '../clock.ts'
import type { NewSchema } from '../json-schema/check-new-schema.ts'
import type { BreakingChange } from '../json-schema/compatibility/breaking-changes.ts'
import type { SchemaEngine } from '../json-schema/load-engine.ts'
import type { Transactional } from '../transactional.ts'
import type { SchemaEntry, SchemaEntryWithText } from './schema-entry.ts'

/** The differences between the registry of product types and the registry of action types. */
export interface Registry<Stores, T extends SchemaEntryWithText, Definition extends string> {
  /** The name of the input with the text of a definition. */
  readonly definition: Definition
  store(stores: Stores): SchemaRegistryStore<T>
  /** Returns the unique key of a version. */
  key(type: string, version: string): string
  /** Returns the type. @throws Invalid */
  checkType(type: string): string
  /** Reads the text of a definition. Returns its schema, and the texts that an entry has besides the schema. */
  read(
    definitionText: string,
    engine: SchemaEngine,
  ): { readonly checked: NewSchema; readonly texts: Omit<T, keyof SchemaEntryWithText> }
  readonly errors: {
    readonly NotFound: new () => Error
    readonly Taken: new (message: string) => Error
    readonly Breaks: new (message: string, breaking: readonly BreakingChange[]) => Error
    readonly ChangedMeanwhile: new () => Error
  }
}

export interface RegistryStorage<Stores> {
  readonly storage: Transactional<Stores>
}

export interface RegistryDeps<Stores> extends RegistryStorage<Stores> {
  readonly clock: Clock
}

/** A registry of versioned schemas. Its version rises in the transaction of every change. */
export interface SchemaRegistryStore<T extends SchemaEntryWithText> {
  /** Returns the version of the registry, at most a second old; 0 before the first change. Fast, because every use asks. */
  registryVersion(): Promise<number>
  /** Locks the registry until the transaction ends. Every transaction that changes the registry calls this method first. */
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
