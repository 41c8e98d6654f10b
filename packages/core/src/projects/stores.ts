import type { CustomerStore } from './customers/store.ts'
import type { ExpenseStore } from './expenses/store.ts'
import type { ProductSchemaStore } from './product-schemas/product-schema.ts'
import type { ProjectStore } from './projects/store.ts'
import type { ResourceStore } from './resources/store.ts'

/** The stores of projects, one for each aggregate. */
export interface ProjectStores {
  readonly customers: CustomerStore
  readonly projects: ProjectStore
  readonly productSchemas: ProductSchemaStore
  readonly resources: ResourceStore
  readonly expenses: ExpenseStore
}
