export type SchemaEngine = typeof import('./engine.ts')

/** Loads the engine when the first schema is used. Its libraries would slow down the start of a server. */
export const loadSchemaEngine = (): Promise<SchemaEngine> => import('./engine.ts')
