/** Short enough for the names of channels, and needs no quotes. Names with `pg_` are reserved for PostgreSQL. */
const SCHEMA = /^(?!pg_)[a-z][a-z0-9_]{0,39}$/

/** The names that a schema of PostgreSQL may have. */
export const schemaNames = 'at most 40 lower-case letters, digits and underscores, beginning with a letter'

/** Returns whether a schema of PostgreSQL may have this name. */
export const isSchemaName = (name: string): boolean => SCHEMA.test(name)
