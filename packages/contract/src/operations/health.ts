import { read } from './common.ts'
import type { Operation } from './operation.ts'

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
