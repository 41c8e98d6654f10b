import { authentication } from './common.ts'
import type { Operation } from './operation.ts'

/** The operation that says how the service is. */
export const healthOperations = {
  'health.check': {
    ...authentication,
    envelope: 'bare',
    method: 'GET',
    path: '/health',
    authentication: 'none',
    rateLimit: 'health',
    summary: 'Health of the service and of what it stands on',
  },
} as const satisfies Readonly<Record<string, Operation>>
