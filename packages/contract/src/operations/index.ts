import { approvalOperations } from './approvals.ts'
import { read } from './common.ts'
import { identityOperations } from './identity.ts'
import type { Operation } from './operation.ts'
import { projectOperations } from './projects.ts'

export { type BodyLimit, type Operation, SERVICE_NAME_HEADER } from './operation.ts'
export { approvalOperations, identityOperations, projectOperations }

const report = { ...read, envelope: 'bare', authentication: 'none', rateLimit: 'health' } as const

export const healthOperations = {
  'health.check': { ...report, path: '/health', summary: 'Report the health of the service and of its database' },
  'health.live': { ...report, path: '/health/live', summary: 'Report that the process answers requests' },
  'health.ready': {
    ...report,
    path: '/health/ready',
    summary: 'Report whether the server takes requests and its database takes writes',
  },
} as const satisfies Readonly<Record<string, Operation>>

/** Every operation of the HTTP interface. Members that are not in the path or a header come from the JSON body or the query. */
export const operations = {
  ...identityOperations,
  ...approvalOperations,
  ...projectOperations,
  ...healthOperations,
} as const

/** The name of an operation: `<noun>.<verb>`. */
export type OperationName = keyof typeof operations
