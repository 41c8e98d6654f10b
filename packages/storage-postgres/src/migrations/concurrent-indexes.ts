import type { Tables } from '@countersign/storage-sql'
import { type CompiledQuery, type Dialect, type Kysely, PostgresQueryCompiler, sql } from 'kysely'

/** Returns the same dialect, except that each index is created concurrently, unless the index exists. */
export const withConcurrentIndexes = (dialect: Dialect): Dialect => ({
  ...dialect,
  createQueryCompiler: () => new ConcurrentIndexes(),
})

class ConcurrentIndexes extends PostgresQueryCompiler {
  override compileQuery(...query: Parameters<PostgresQueryCompiler['compileQuery']>): CompiledQuery {
    const compiled = super.compileQuery(...query)
    const text = compiled.sql.replace(/^create (unique )?index /, 'create $1index concurrently if not exists ')
    return { ...compiled, sql: text }
  }
}

/** Drops the invalid indexes of an interrupted migration, which are never read; not those of a `reindex concurrently`. */
export const dropInvalidIndexes = async (db: Kysely<Tables>, schema: string): Promise<void> => {
  const { rows } = await sql<{ readonly name: string }>`
    select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = to_regnamespace(${schema}) and not indisvalid and relname !~ '_cc(new|old)[0-9]*$'`.execute(db)
  for (const { name } of rows) await sql`drop index concurrently if exists ${sql.id(schema, name)}`.execute(db)
}
