import { authentication } from './common.ts'
import type { Operation } from './operation.ts'

/** The operations that report the health of the service. */
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
  'health.live': {
    ...authentication,
    envelope: 'bare',
    method: 'GET',
    path: '/health/live',
    authentication: 'none',
    rateLimit: 'health',
    summary: 'Report that the process answers requests',
  },
  'health.ready': {
    ...authentication,
    envelope: 'bare',
    method: 'GET',
    path: '/health/ready',
    authentication: 'none',
    rateLimit: 'health',
    summary: 'Report whether the server takes requests and its database takes writes',
  },
} as const satisfies Readonly<Record<string, Operation>>
