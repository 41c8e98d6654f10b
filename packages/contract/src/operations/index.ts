import { approvalOperations } from './approvals.ts'
import { healthOperations } from './health.ts'
import { identityOperations } from './identity.ts'
import { projectOperations } from './projects.ts'

export { type BodyLimit, type Operation, SERVICE_NAME_HEADER } from './operation.ts'
export { approvalOperations, healthOperations, identityOperations, projectOperations }

/** Every operation of the HTTP interface. Members that are not in the path or a header come from the JSON body or the query. */
export const operations = {
  ...identityOperations,
  ...approvalOperations,
  ...projectOperations,
  ...healthOperations,
} as const

/** The name of an operation: `<noun>.<verb>`. */
export type OperationName = keyof typeof operations
