/** What schemas are checked, compiled and compared by. */
export type SchemaEngine = typeof import('./engine.ts')

/** Loads it when the first schema is met: its libraries are a good part of what a server would load at its start. */
export const loadSchemaEngine = (): Promise<SchemaEngine> => import('./engine.ts')
