import type { CreateTableBuilder, Kysely } from 'kysely'
import { builtInSchemas } from './0001-built-in-schemas.ts'
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
  await db.schema
    .createTable('customers')
    .addColumn('id', sortedText, (column) => column.primaryKey().notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
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
  await withCountedKey(db.schema.createTable('projects'), 'seq')
    .addColumn('id', sortedText, (column) => column.notNull().unique())
    .addColumn('unique_code', sortedText, (column) => column.notNull().unique())
    .addColumn('name', sortedText, (column) => column.notNull())
    .addColumn('status', sortedText, (column) => column.notNull())
    .addColumn('progress', sortedText, (column) => column.notNull())
    .addColumn('contract_value', 'double precision', (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('searched_text', 'text', (column) => column.notNull())
    .addColumn('reply_date', 'bigint', (column) => column.notNull())
    .addColumn('customer_id', sortedText, (column) => column.notNull().references('customers.id'))
    .addColumn('creator_id', 'bigint', (column) => column.notNull().references('users.id'))
    .addColumn('document_file_ids', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('removed_at', 'bigint')
    .addColumn('removed_by', 'bigint')
    .execute()
  for (const { name, columns } of LIST_INDEXES) await createIndex(db, 'projects', name, columns, isNull('removed_at'))
  await createIndex(db, 'projects', 'projects_removed_at', ['removed_at'], isNotNull('removed_at'))
  await createSearchIndex(db)
}

const createParts = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('products')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('project_id', 'text', (column) => column.notNull().references('projects.id'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('product_type', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('attributes', 'text', (column) => column.notNull())
    .addColumn('schema_version', 'text', (column) => column.notNull())
    .execute()
  await createIndex(db, 'products', 'products_of_project', ['project_id', 'position'])
  await db.schema
    .createTable('project_participants')
    .addColumn('project_id', 'text', (column) => column.notNull().references('projects.id'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id'))
    .addPrimaryKeyConstraint('project_participants_key', ['project_id', 'position'])
    .execute()
}

const createCounters = async (db: Kysely<unknown>, { withCountedKey, sortedText }: MigrationDialect) => {
  await db.schema
    .createTable('project_numbers')
    .addColumn('year', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('last', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('project_counts')
    .addColumn('customer_id', sortedText, (column) => column.notNull())
    .addColumn('status', sortedText, (column) => column.notNull())
    .addColumn('progress', sortedText, (column) => column.notNull())
    .addColumn('count', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('project_counts_key', ['customer_id', 'status', 'progress'])
    .execute()
  // The differences that wait to be added to the counters.
  await withCountedKey(db.schema.createTable('project_count_deltas'), 'seq')
    .addColumn('customer_id', sortedText, (column) => column.notNull())
    .addColumn('status', sortedText, (column) => column.notNull())
    .addColumn('progress', sortedText, (column) => column.notNull())
    .addColumn('delta', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('project_lists')
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute()
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
  table
    .addColumn('project_id', 'text', (column) => column.notNull().references('projects.id'))
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('external_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())

const withExpenseColumns = <T extends string>(table: CreateTableBuilder<T, never>) =>
  table
    .addColumn('project_id', 'text', (column) => column.notNull().references('projects.id'))
    .addColumn('external_id', 'text', (column) => column.notNull())
    .addColumn('category', 'text', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addColumn('incurred_at', 'bigint', (column) => column.notNull())

/** Adds the further columns of a staged row: its import, its future id, and the time of staging. */
const withStagedColumns = <T extends string, C extends string>(table: CreateTableBuilder<T, C>) =>
  table
    .addColumn('import_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('staged_at', 'bigint', (column) => column.notNull())

const createRegistry = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('product_schemas')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('active', 'integer', (column) => column.notNull())
    .addColumn('required_fields', 'text', (column) => column.notNull())
    .addColumn('registered_at', 'bigint', (column) => column.notNull())
    .addColumn('schema_text', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('product_schema_registry')
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute()
}

const insertSeeds = async (untyped: Kysely<unknown>) => {
  const db = untyped as Kysely<Record<keyof typeof projectSeeds, Record<string, unknown>>>
  await db.insertInto('project_lists').values(projectSeeds.project_lists).execute()
  await db.insertInto('product_schemas').values(projectSeeds.product_schemas).execute()
  await db.insertInto('product_schema_registry').values(projectSeeds.product_schema_registry).execute()
}
