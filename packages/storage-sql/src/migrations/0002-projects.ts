import { builtInSchemas } from '@countersign/core/storage'
import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import { productSchemaRow } from '../projects/product-schemas/product-schemas-store.ts'
import { PROJECT_INDEXES } from '../projects/projects/list/sorts.ts'
import type { DialectFeatures } from '../shared/dialect-features.ts'
import type { Tables } from '../shared/tables.ts'
import type { Seeds } from './seeds.ts'

/** The rows that the migration puts into its tables. */
export const projectSeeds = {
  project_lists: [{ id: 1, version: 0 }],
  product_schemas: builtInSchemas.map(productSchemaRow),
  product_schema_registry: [{ id: 1, version: builtInSchemas.length }],
} as const satisfies Seeds

/** Customers, projects with what belongs to them, their counters and search index, and the registry of product schemas. */
export const projects =
  (features: DialectFeatures) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await createCustomers(db, features)
    await createProjects(db, features)
    await createParts(db)
    await createCounters(db, features)
    await createImports(db)
    await createRegistry(db)
    await registerBuiltIns(db)
  }

const createCustomers = async (db: Kysely<unknown>, { sortedText }: DialectFeatures) => {
  await db.schema
    .createTable('customers')
    .addColumn('id', sortedText, (column) => column.primaryKey().notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
}

const createProjects = async (db: Kysely<unknown>, { withCountedKey, sortedText, search }: DialectFeatures) => {
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
  for (const { name, columns } of PROJECT_INDEXES) {
    await db.schema
      .createIndex(name)
      .on('projects')
      .columns([...columns])
      .where(sql.ref('removed_at'), 'is', null)
      .execute()
  }
  await search.create(db)
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
  await db.schema.createIndex('products_of_project').on('products').columns(['project_id', 'position']).execute()
  await db.schema
    .createTable('project_participants')
    .addColumn('project_id', 'text', (column) => column.notNull().references('projects.id'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id'))
    .addPrimaryKeyConstraint('project_participants_key', ['project_id', 'position'])
    .execute()
}

const createCounters = async (db: Kysely<unknown>, { sortedText }: DialectFeatures) => {
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
  await db.schema
    .createTable('project_lists')
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute()
  await (db as Kysely<Tables>).insertInto('project_lists').values(projectSeeds.project_lists).execute()
}

const createImports = async (db: Kysely<unknown>) => {
  await resourceColumns(db.schema.createTable('resources'))
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addUniqueConstraint('resources_external_id', ['type', 'external_id'])
    .execute()
  await db.schema.createIndex('resources_of_project').on('resources').columns(['project_id', 'type', 'status']).execute()
  await staged(resourceColumns(db.schema.createTable('staged_resources')))
    .addPrimaryKeyConstraint('staged_resources_key', ['import_id', 'type', 'external_id'])
    .execute()
  await db.schema.createIndex('staged_resources_at').on('staged_resources').column('staged_at').execute()
  await expenseColumns(db.schema.createTable('expenses'))
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addUniqueConstraint('expenses_external_id', ['external_id'])
    .execute()
  await db.schema.createIndex('expenses_of_project').on('expenses').columns(['project_id', 'category', 'amount']).execute()
  await staged(expenseColumns(db.schema.createTable('staged_expenses')))
    .addPrimaryKeyConstraint('staged_expenses_key', ['import_id', 'external_id'])
    .execute()
  await db.schema.createIndex('staged_expenses_at').on('staged_expenses').column('staged_at').execute()
}

const resourceColumns = <T extends string>(table: CreateTableBuilder<T, never>) =>
  table
    .addColumn('project_id', 'text', (column) => column.notNull().references('projects.id'))
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('external_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())

const expenseColumns = <T extends string>(table: CreateTableBuilder<T, never>) =>
  table
    .addColumn('project_id', 'text', (column) => column.notNull().references('projects.id'))
    .addColumn('external_id', 'text', (column) => column.notNull())
    .addColumn('category', 'text', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addColumn('incurred_at', 'bigint', (column) => column.notNull())

/** What a line laid aside has besides: its import, the id that it would get, and when it was laid aside. */
const staged = <T extends string, C extends string>(table: CreateTableBuilder<T, C>) =>
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

const registerBuiltIns = async (untyped: Kysely<unknown>) => {
  const db = untyped as Kysely<Tables>
  await db.insertInto('product_schemas').values(projectSeeds.product_schemas).execute()
  await db.insertInto('product_schema_registry').values(projectSeeds.product_schema_registry).execute()
}
