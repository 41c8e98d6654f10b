import type { OperationName } from '../../operations/index.ts'
import { approvalDescriptions } from './approvals.ts'
import { identityDescriptions } from './identity.ts'
import { healthDescriptions, projectDescriptions } from './projects.ts'

/** What the OpenAPI document says of each operation beyond its title. Apart from the table, because no client needs it. */
export const descriptions: Readonly<Record<OperationName, string>> = {
  ...identityDescriptions,
  ...approvalDescriptions,
  ...projectDescriptions,
  ...healthDescriptions,
}
