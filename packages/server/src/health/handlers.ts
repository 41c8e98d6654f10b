import type { CountersignIdentity } from '@countersign/core'
import { type OperationHandlers, WithStatus } from '../http/operation-handler.ts'
import { serializeHealth } from './serializer.ts'

/** @param version The version of the server, which the response names. */
export const healthHandlers = ({ health }: Pick<CountersignIdentity, 'health'>, version: string) =>
  ({
    'health.check': async () => {
      const report = serializeHealth(await health(), version)
      // Load balancers read only the status.
      return report.status === 'healthy' ? report : new WithStatus(503, report)
    },
  }) satisfies Partial<OperationHandlers>
