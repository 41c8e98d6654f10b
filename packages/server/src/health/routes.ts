import type { Countersign } from '@countersign/core'
import { type Handlers, WithStatus } from '../http/mount.ts'
import { presentHealth } from './serializer.ts'

/** @param version Of the server. */
export const healthRoutes = ({ health }: Countersign, version: string) =>
  ({
    'health.check': async () => {
      const report = presentHealth(await health(), version)
      // Balancers look at the status alone.
      return report.status === 'healthy' ? report : new WithStatus(503, report)
    },
  }) satisfies Partial<Handlers>
