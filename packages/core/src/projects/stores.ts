import type { ProductSchemaStore } from './product-schemas/product-schema.ts'
import type { CustomerStore } from './records/customer.ts'
import type { ExpenseStore } from './records/expense.ts'
import type { ProjectStore } from './records/project.ts'
import type { ResourceStore } from './records/resource.ts'

/** The stores of projects, one for each aggregate. */
export interface ProjectStores {
  readonly customers: CustomerStore
  readonly projects: ProjectStore
  readonly productSchemas: ProductSchemaStore
  readonly resources: ResourceStore
  readonly expenses: ExpenseStore
}
