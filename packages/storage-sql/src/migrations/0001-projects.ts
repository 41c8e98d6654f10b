import type { CreateTableBuilder, Kysely } from 'kysely'
import { builtInSchemas } from './0001-built-in-schemas.ts'
import { addColumns } from './add-columns.ts'
import { createIndex, isNotNull, isNull } from './create-index.ts'
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
    await createCustomers(db, dialect)
    await createProjects(db, dialect)
    await createParts(db)
    await createCounters(db, dialect)
    await createImports(db)
    await createRegistry(db)
    await insertSeeds(db)
  }

const createCustomers = async (db: Kysely<unknown>, { sortedText }: MigrationDialect) => {
  await addColumns(
    db.schema.createTable('customers'),
    'id sorted primary key, name text, email text, created_at bigint',
    sortedText,
  ).execute()
}

/** The indexes for lists: one for each sort key, and one for each filter in the default order. */
const LIST_INDEXES: readonly { readonly name: string; readonly columns: readonly string[] }[] = [
  { name: 'projects_by_created_at', columns: ['created_at', 'id'] },
  { name: 'projects_by_updated_at', columns: ['updated_at', 'id'] },
  { name: 'projects_by_name', columns: ['name', 'id'] },
  { name: 'projects_by_unique_code', columns: ['unique_code', 'id'] },
  { name: 'projects_by_contract_value', columns: ['contract_value', 'id'] },
  { name: 'projects_by_reply_date', columns: ['reply_date', 'id'] },
  { name: 'projects_by_status', columns: ['status', 'id'] },
  { name: 'projects_by_progress', columns: ['progress', 'id'] },
  { name: 'projects_of_customer_id', columns: ['customer_id', 'created_at', 'id'] },
  { name: 'projects_of_status', columns: ['status', 'created_at', 'id'] },
  { name: 'projects_of_progress', columns: ['progress', 'created_at', 'id'] },
]

const createProjects = async (db: Kysely<unknown>, { withCountedKey, sortedText, createSearchIndex }: MigrationDialect) => {
  await addColumns(
    withCountedKey(db.schema.createTable('projects'), 'seq'),
    `id sorted unique, unique_code sorted unique, name sorted, status sorted, progress sorted, contract_value double,
     currency text, description text, searched_text text, reply_date bigint, customer_id sorted references customers.id,
     creator_id bigint references users.id, document_file_ids text, created_at bigint, updated_at bigint,
     removed_at bigint null`,
    sortedText,
  )
    .addColumn('removed_by', 'bigint')
    .execute()
  for (const { name, columns } of LIST_INDEXES) await createIndex(db, 'projects', name, columns, isNull('removed_at'))
  await createIndex(db, 'projects', 'projects_removed_at', ['removed_at'], isNotNull('removed_at'))
  await createSearchIndex(db)
}

const createParts = async (db: Kysely<unknown>) => {
  await addColumns(
    db.schema.createTable('products'),
    `id text primary key, project_id text references projects.id, position integer, name text, product_type text,
     description text, attributes text, schema_version text`,
  ).execute()
  await createIndex(db, 'products', 'products_of_project', ['project_id', 'position'])
  await addColumns(
    db.schema.createTable('project_participants'),
    'project_id text references projects.id, position integer, user_id bigint references users.id',
  )
    .addPrimaryKeyConstraint('project_participants_key', ['project_id', 'position'])
    .execute()
}

const createCounters = async (db: Kysely<unknown>, { withCountedKey, sortedText }: MigrationDialect) => {
  await addColumns(db.schema.createTable('project_numbers'), 'year integer primary key, last bigint').execute()
  await addColumns(
    db.schema.createTable('project_counts'),
    'customer_id sorted, status sorted, progress sorted, count bigint',
    sortedText,
  )
    .addPrimaryKeyConstraint('project_counts_key', ['customer_id', 'status', 'progress'])
    .execute()
  // The differences that wait to be added to the counters.
  await addColumns(
    withCountedKey(db.schema.createTable('project_count_deltas'), 'seq'),
    'customer_id sorted, status sorted, progress sorted, delta integer',
    sortedText,
  ).execute()
  await addColumns(db.schema.createTable('project_lists'), 'id integer primary key, version bigint').execute()
}

const createImports = async (db: Kysely<unknown>) => {
  await withResourceColumns(db.schema.createTable('resources'))
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addUniqueConstraint('resources_external_id', ['project_id', 'type', 'external_id'])
    .execute()
  await createIndex(db, 'resources', 'resources_of_project', ['project_id', 'type', 'status'])
  await withStagedColumns(withResourceColumns(db.schema.createTable('staged_resources')))
    .addPrimaryKeyConstraint('staged_resources_key', ['import_id', 'project_id', 'type', 'external_id'])
    .execute()
  await createIndex(db, 'staged_resources', 'staged_resources_at', ['staged_at'])
  await withExpenseColumns(db.schema.createTable('expenses'))
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addUniqueConstraint('expenses_external_id', ['project_id', 'external_id'])
    .execute()
  await createIndex(db, 'expenses', 'expenses_of_project', ['project_id', 'category', 'amount'])
  await withStagedColumns(withExpenseColumns(db.schema.createTable('staged_expenses')))
    .addPrimaryKeyConstraint('staged_expenses_key', ['import_id', 'project_id', 'external_id'])
    .execute()
  await createIndex(db, 'staged_expenses', 'staged_expenses_at', ['staged_at'])
}

const withResourceColumns = <T extends string>(table: CreateTableBuilder<T, never>) =>
  addColumns(table, 'project_id text references projects.id, type text, external_id text, name text, status text')

const withExpenseColumns = <T extends string>(table: CreateTableBuilder<T, never>) =>
  addColumns(table, 'project_id text references projects.id, external_id text, category text, amount bigint, incurred_at bigint')

/** Adds the further columns of a staged row: its import, its future id, and the time of staging. */
const withStagedColumns = <T extends string, C extends string>(table: CreateTableBuilder<T, C>) =>
  addColumns(table, 'import_id text, id text, staged_at bigint')

const createRegistry = async (db: Kysely<unknown>) => {
  await addColumns(
    db.schema.createTable('product_schemas'),
    `key text primary key, type text, version text, title text, active integer, required_fields text, registered_at bigint,
     schema_text text`,
  ).execute()
  await addColumns(db.schema.createTable('product_schema_registry'), 'id integer primary key, version bigint').execute()
}

const insertSeeds = async (untyped: Kysely<unknown>) => {
  const db = untyped as Kysely<Record<keyof typeof projectSeeds, Record<string, unknown>>>
  await db.insertInto('project_lists').values(projectSeeds.project_lists).execute()
  await db.insertInto('product_schemas').values(projectSeeds.product_schemas).execute()
  await db.insertInto('product_schema_registry').values(projectSeeds.product_schema_registry).execute()
}
