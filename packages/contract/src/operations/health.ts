import { authentication } from './common.ts'
import type { Operation } from './operation.ts'

/** The operation that reports the health of the service. */
export const healthOperations = {
  'health.check': {
    ...authentication,
    envelope: 'bare',
    method: 'GET',
    path: '/health',
    authentication: 'none',
    rateLimit: 'health',
    summary: 'Report the health of the service and of its database',
  },
} as const satisfies Readonly<Record<string, Operation>>
