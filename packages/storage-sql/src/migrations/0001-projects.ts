import type { Kysely } from 'kysely'
import { builtInSchemas } from './0001-built-in-schemas.ts'
import { createIndex, isNotNull, isNull } from './create-index.ts'
import { type CreateTable, tableCreator } from './create-table.ts'
import type { MigrationDialect } from './migration-dialect.ts'

/** The rows that this migration inserts, by table. */
export const projectSeeds = {
  project_lists: [{ id: 1, version: 0 }],
  product_schemas: builtInSchemas,
  product_schema_registry: [{ id: 1, version: 2 }],
} as const

/** Creates the tables of projects, their counters and search index, and the registry of product schemas. */
export const createProjectTables =
  (dialect: MigrationDialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    const table = tableCreator(db, dialect)
    await createCustomers(table)
    await createProjects(db, table, dialect)
    await createParts(db, table)
    await createCounters(table)
    await createImports(db, table)
    await createRegistry(table)
    await insertSeeds(db)
  }

const createCustomers = async (table: CreateTable) => {
  await table('customers')`id sorted primary key, name text, email text, created_at bigint`
}

/** The columns by which lists are in order, and those by which lists in the default order are filtered. Each has an index. */
const SORT_COLUMNS = ['created_at', 'updated_at', 'name', 'unique_code', 'contract_value', 'reply_date', 'status', 'progress']
const FILTER_COLUMNS = ['customer_id', 'status', 'progress']

const createProjects = async (db: Kysely<unknown>, table: CreateTable, { createSearchIndex }: MigrationDialect) => {
  await table('projects')`
    seq counted, id sorted unique, unique_code sorted unique, name sorted, status sorted, progress sorted, contract_value double,
    currency text, description text, searched_text text, reply_date bigint, customer_id sorted references customers.id,
    creator_id bigint references users.id, document_file_ids text, created_at bigint, updated_at bigint, removed_at bigint null,
    removed_by bigint null`
  const visible = isNull('removed_at')
  for (const column of SORT_COLUMNS) await createIndex(db, 'projects', `projects_by_${column}`, [column, 'id'], visible)
  for (const column of FILTER_COLUMNS)
    await createIndex(db, 'projects', `projects_of_${column}`, [column, 'created_at', 'id'], visible)
  await createIndex(db, 'projects', 'projects_removed_at', ['removed_at'], isNotNull('removed_at'))
  await createSearchIndex(db)
}

const createParts = async (db: Kysely<unknown>, table: CreateTable) => {
  await table('products')`
    id text primary key, project_id text references projects.id, position integer, name text, product_type text,
    description text, attributes text, schema_version text`
  await createIndex(db, 'products', 'products_of_project', ['project_id', 'position'])
  await table('project_participants')`
    project_id text references projects.id, position integer, user_id bigint references users.id,
    primary key (project_id, position)`
}

const createCounters = async (table: CreateTable) => {
  await table('project_numbers')`year integer primary key, last bigint`
  await table('project_counts')`
    customer_id sorted, status sorted, progress sorted, count bigint, primary key (customer_id, status, progress)`
  // The differences that wait to be added to the counters.
  await table('project_count_deltas')`seq counted, customer_id sorted, status sorted, progress sorted, delta integer`
  await table('project_lists')`id integer primary key, version bigint`
}

const createImports = async (db: Kysely<unknown>, table: CreateTable) => {
  await table('resources')`
    project_id text references projects.id, type text, external_id text, name text, status text, id text primary key,
    unique (project_id, type, external_id)`
  await createIndex(db, 'resources', 'resources_of_project', ['project_id', 'type', 'status'])
  await table('staged_resources')`
    project_id text references projects.id, type text, external_id text, name text, status text,
    import_id text, id text, staged_at bigint, primary key (import_id, project_id, type, external_id)`
  await createIndex(db, 'staged_resources', 'staged_resources_at', ['staged_at'])
  await table('expenses')`
    project_id text references projects.id, external_id text, category text, amount bigint, incurred_at bigint,
    id text primary key, unique (project_id, external_id)`
  await createIndex(db, 'expenses', 'expenses_of_project', ['project_id', 'category', 'amount'])
  await table('staged_expenses')`
    project_id text references projects.id, external_id text, category text, amount bigint, incurred_at bigint,
    import_id text, id text, staged_at bigint, primary key (import_id, project_id, external_id)`
  await createIndex(db, 'staged_expenses', 'staged_expenses_at', ['staged_at'])
}

const createRegistry = async (table: CreateTable) => {
  await table('product_schemas')`
    key text primary key, type text, version text, title text, active integer, required_fields text, registered_at bigint,
    schema_text text`
  await table('product_schema_registry')`id integer primary key, version bigint`
}

const insertSeeds = async (untyped: Kysely<unknown>) => {
  const db = untyped as Kysely<Record<string, Record<string, unknown>>>
  for (const [name, rows] of Object.entries(projectSeeds)) await db.insertInto(name).values(rows).execute()
}
