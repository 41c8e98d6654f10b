import type { Customer, Expense, Product, ProductSchemaWithText, Project, Resource } from '@countersign/core/storage'
import type { Generated } from 'kysely'
import type { RowOf } from './row-of.ts'

/** The tables of projects. See `Tables` for the form of the values. */
export interface ProjectTables {
  customers: RowOf<Customer>
  projects: RowOf<Omit<Project, 'replyDate'>> & {
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
  /** `attributes` is JSON. */
  products: RowOf<Omit<Product, 'attributes'>> & { project_id: string; position: number; attributes: string }
  project_participants: { project_id: string; position: number; user_id: number }
  /** The last project number of each year. */
  project_numbers: { year: number; last: number }
  /** The number of projects of each customer (empty for all), status and progress, without the deltas that wait. */
  project_counts: Counted & { count: number }
  /**
   * Differences that wait to be added to `project_counts`. Every change of a project inserts one row or two, even if it moves
   * nothing: then the delta is 0.
   */
  project_count_deltas: Counted & { seq: Generated<number>; delta: number }
  /** One row with the version of the lists, without the deltas that wait. Each delta raises the version by 1. */
  project_lists: { id: 1; version: number }
  resources: RowOf<Resource>
  staged_resources: RowOf<Resource> & Staged
  /** `amount` is in ten-thousandths. It is written as `bigint`, and read only in sums. */
  expenses: RowOf<Expense>
  staged_expenses: RowOf<Expense> & Staged
  /** `schema_text` is the JSON exactly as it was registered. */
  product_schemas: RowOf<ProductSchemaWithText>
  /** One row with the version of the registry. */
  product_schema_registry: { id: 1; version: number }
}

interface Counted {
  customer_id: string
  status: string
  progress: Project['progress']
}

/** Rows of an unfinished import. No query shows them. */
interface Staged {
  import_id: string
  staged_at: number
}
