import type { ProductSchema, ProductSchemaWithText } from './product-schema.ts'

/** The product schemas and the number of their state, which rises with every change in the change's own transaction. */
export interface ProductSchemaStore {
  /**
   * The number of the registry's state; 0 where nothing ever happened. Asked at every creation of a project, so it should
   * cost little; what another process on the same database changed shows within a second.
   */
  registryVersion(): Promise<number>
  /**
   * Within a transaction: keeps every other change of the registry waiting until the end, so that what was decided on the
   * registry as it stands still holds when it is written. Called first in every transaction that changes it.
   */
  hold(): Promise<void>
  /** The number of the state and every entry, in any order, both of one moment. */
  registry(): Promise<{ readonly version: number; readonly schemas: readonly ProductSchema[] }>
  /** The number of the state and the active entries with their texts, in any order, both of one moment. */
  active(): Promise<{ readonly version: number; readonly schemas: readonly ProductSchemaWithText[] }>
  byKey(key: string): Promise<ProductSchemaWithText | undefined>
  /** Adds a version; `false`, and nothing happened, where its key is taken (a unique index decides). */
  register(schema: ProductSchemaWithText): Promise<boolean>
  /** Returns the entry as it then stands; `undefined` where there is none. The state's number rises only where it changed. */
  setActive(key: string, active: boolean): Promise<ProductSchema | undefined>
}
