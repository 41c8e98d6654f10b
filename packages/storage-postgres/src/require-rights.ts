import type { Tables } from '@countersign/storage-sql'
import { type Kysely, sql } from 'kysely'
import { refuse } from './operator-error.ts'

/** The migration that creates the index for searches, which needs the extension. */
const NEEDS_TRIGRAMS = '0001-projects'

interface Rights {
  /** `role`, `database` and `schema` are identifiers of SQL, with quotes if they need quotes. */
  readonly role: string
  readonly database: string
  readonly schema: string
  readonly has_schema: boolean
  readonly may_fill_schema: boolean | null
  readonly may_create: boolean
  readonly has_trigrams: boolean
  readonly may_have_trigrams: boolean
}

/** Returns a sentence that names what is missing and how to get it; `undefined` if nothing is missing. */
const lacking = (rights: Rights, pending: readonly string[]): string | undefined => {
  const { role, database, schema } = rights
  if (!rights.has_schema && !rights.may_create) {
    return `may not create the schema ${schema}; an administrator of the database can: create schema ${schema} authorization ${role}`
  }
  if (rights.has_schema && rights.may_fill_schema !== true) {
    return `may not create tables in the schema ${schema}; its owner can: grant usage, create on schema ${schema} to ${role}`
  }
  if (!pending.includes(NEEDS_TRIGRAMS) || rights.has_trigrams) return undefined
  if (!rights.may_have_trigrams) return 'finds no extension pg_trgm; install the package of PostgreSQL that has it (contrib)'
  if (rights.may_create) return undefined
  return `may not create the extension pg_trgm in ${database}; an administrator of the database can: create extension pg_trgm`
}

/** Looks whether the role may make the tables, before any change. @throws Unavailable that says what to grant */
export const requireRights = async (db: Kysely<Tables>, schema: string, pending: readonly string[]): Promise<void> => {
  const { rows } = await sql<Rights>`
    select quote_ident(current_user) as role, quote_ident(current_database()) as database, quote_ident(${schema}) as schema,
      to_regnamespace(${schema}) is not null as has_schema,
      has_schema_privilege(to_regnamespace(${schema})::oid, 'create') and has_schema_privilege(to_regnamespace(${schema})::oid, 'usage')
        as may_fill_schema,
      has_database_privilege(current_database(), 'create') as may_create,
      exists(select from pg_extension where extname = 'pg_trgm') as has_trigrams,
      exists(select from pg_available_extensions where name = 'pg_trgm') as may_have_trigrams`.execute(db)
  const [rights] = rows
  const lack = rights && lacking(rights, pending)
  if (lack !== undefined) refuse(`its role ${rights?.role} ${lack}`, 'database_permission_denied')
}
