import type { Customer, Expense, Product, ProductSchemaWithText, Project, Resource } from '@countersign/core/storage'
import type { Generated } from 'kysely'
import type { RowOf } from '../shared/record-mapping.ts'

/** The tables of projects. See `Tables` for the form of the values. */
export interface ProjectTables {
  customers: CustomersTable
  projects: ProjectsTable
  products: ProductsTable
  project_participants: ProjectParticipantsTable
  project_numbers: ProjectNumbersTable
  project_counts: ProjectCountsTable
  project_count_deltas: ProjectCountDeltasTable
  project_lists: ProjectListsTable
  resources: ResourcesTable
  staged_resources: ResourcesTable & Staged
  expenses: ExpensesTable
  staged_expenses: ExpensesTable & Staged
  product_schemas: ProductSchemasTable
  product_schema_registry: ProductSchemaRegistryTable
}

export type CustomersTable = RowOf<Customer>

export interface ProjectsTable extends RowOf<Omit<Project, 'replyDate'>> {
  /** The number of the project in the search index. */
  seq: Generated<number>
  /** See the core's `searchedText`. */
  searched_text: string
  /** The reply date. A missing date is stored as an instant after every date, so that it sorts last. */
  reply_date: number
  /** A JSON array of strings. */
  document_file_ids: string
  /** Removed projects stay until their retention has passed, with the time and the user. No list shows them. */
  removed_at: number | null
  removed_by: number | null
}

export interface ProductsTable extends RowOf<Omit<Product, 'attributes'>> {
  project_id: string
  position: number
  /** JSON. */
  attributes: string
}

export interface ProjectParticipantsTable {
  project_id: string
  position: number
  user_id: number
}

/** The last project number of each year. */
export interface ProjectNumbersTable {
  year: number
  last: number
}

/** The number of projects of each customer (empty for all), status and progress, without the deltas that wait. */
export interface ProjectCountsTable {
  customer_id: string
  status: string
  progress: Project['progress']
  count: number
}

/**
 * Differences that wait to be added to `project_counts`. Every change of a project inserts one row or two, even if it moves
 * nothing: then the delta is 0.
 */
export interface ProjectCountDeltasTable {
  seq: Generated<number>
  customer_id: string
  status: string
  progress: Project['progress']
  delta: number
}

/** One row with the version of the lists, without the deltas that wait. Each delta raises the version by 1. */
export interface ProjectListsTable {
  id: 1
  version: number
}

export type ResourcesTable = RowOf<Resource>

/** Rows of an unfinished import. No query shows them. */
interface Staged {
  import_id: string
  staged_at: number
}

/** `amount` is in ten-thousandths. It is written as `bigint`, and read only in sums. */
export type ExpensesTable = RowOf<Expense>

/** `schema_text` is the JSON exactly as it was registered. */
export type ProductSchemasTable = RowOf<ProductSchemaWithText>

/** One row with the version of the registry. */
export interface ProductSchemaRegistryTable {
  id: 1
  version: number
}
