import type { OperationName } from '../../operations/index.ts'
import { approvalDescriptions } from './approvals.ts'
import { identityDescriptions } from './identity.ts'
import { healthDescriptions, projectDescriptions } from './projects.ts'

/** The descriptions of operations in the OpenAPI document. They are not in the table of operations: no client needs them. */
export const descriptions: Readonly<Record<OperationName, string>> = {
  ...identityDescriptions,
  ...approvalDescriptions,
  ...projectDescriptions,
  ...healthDescriptions,
}
