import { approvalOperations } from './approvals.ts'
import { healthOperations } from './health.ts'
import { identityOperations } from './identity.ts'
import { projectOperations } from './projects.ts'

export { type BodyLimit, type Operation, SERVICE_NAME_HEADER } from './operation.ts'
export { approvalOperations, healthOperations, identityOperations, projectOperations }

/**
 * Every operation of the HTTP interface. Path members come from the path. Other members come from the JSON body, or from the
 * query if the operation has no body.
 */
export const operations = {
  ...identityOperations,
  ...approvalOperations,
  ...projectOperations,
  ...healthOperations,
} as const

/** The name of an operation: `<noun>.<verb>`. */
export type OperationName = keyof typeof operations
