import { approvalExamples } from './approvals.ts'
import { type Examples, noon } from './example.ts'
import { identityExamples } from './identity.ts'
import { projectExamples } from './projects.ts'

export const examples: Examples = {
  ...identityExamples,
  ...approvalExamples,
  ...projectExamples,
  'health.check': {
    input: {},
    output: {
      status: 'healthy',
      timestamp: noon,
      version: '1.0.0',
      services: { database: 'healthy', cache: 'not_configured', push_provider: 'not_configured' },
      uptime: 3600,
    },
  },
  'health.live': { input: {}, output: { status: 'live' } },
  'health.ready': { input: {}, output: { status: 'ready', timestamp: noon } },
}

export type { Examples } from './example.ts'
