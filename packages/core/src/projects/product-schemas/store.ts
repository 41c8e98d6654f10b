import type { ProductSchema, ProductSchemaWithText } from './product-schema.ts'

/** The registry of product schemas. Its version rises in the transaction of every change. */
export interface ProductSchemaStore {
  /**
   * Returns the version of the registry; 0 before the first change. Every creation of a project calls this method, so it should be
   * fast. A change by another process is visible within a second.
   */
  registryVersion(): Promise<number>
  /**
   * Locks the registry until the transaction ends. Other changes of the registry wait. Every transaction that changes the registry
   * calls this method first.
   */
  hold(): Promise<void>
  /** Returns the version of the registry and all schemas, in any order, from one moment. */
  registry(): Promise<{ readonly version: number; readonly schemas: readonly ProductSchema[] }>
  /** Returns the version of the registry and the active schemas with their texts, in any order, from one moment. */
  active(): Promise<{ readonly version: number; readonly schemas: readonly ProductSchemaWithText[] }>
  byKey(key: string): Promise<ProductSchemaWithText | undefined>
  /** Adds a schema. Returns `false`, and adds nothing, if the key is taken (a unique index decides). */
  register(schema: ProductSchemaWithText): Promise<boolean>
  /** Returns the changed schema; `undefined` if no schema has the key. The version rises only when `active` changes. */
  setActive(key: string, active: boolean): Promise<ProductSchema | undefined>
}
