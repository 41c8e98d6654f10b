import type { Output } from '@countersign/contract'
import { type CountersignIdentity, type HealthReport, type Logger, type ReadinessReport, toIsoTimestamp } from '@countersign/core'
import { type OperationHandlers, WithStatus } from '../http/operation-handler.ts'
import { healthLog } from './health-log.ts'

const serializeHealth = (
  { status, at, services, uptimeMs }: HealthReport,
  { version, isDraining }: { readonly version: string; readonly isDraining: boolean },
): Output<'health.check'> => ({
  status: isDraining ? 'draining' : status,
  timestamp: toIsoTimestamp(at),
  version,
  services: { database: services.database, cache: services.cache, push_provider: services.pushProvider },
  uptime: Math.floor(uptimeMs / 1000),
})

const serializeReadiness = ({ status, at }: ReadinessReport, isDraining: boolean): Output<'health.ready'> => ({
  status: isDraining ? 'draining' : status,
  timestamp: toIsoTimestamp(at),
})

/** The settings of the health operations. */
export interface HealthSettings {
  /** The version of the server, which `/health` names. */
  readonly version: string
  /** Returns whether the server still answers requests, but will stop soon. */
  readonly isDraining: () => boolean
  readonly logger: Logger
}

export const healthHandlers = (
  { health, readiness }: Pick<CountersignIdentity, 'health' | 'readiness'>,
  { version, isDraining, logger }: HealthSettings,
) => {
  const log = healthLog(logger)
  return {
    'health.check': async () => {
      const report = await health()
      log.health(report)
      const answer = serializeHealth(report, { version, isDraining: isDraining() })
      // Load balancers read only the status of HTTP, and not the body.
      return answer.status === 'healthy' ? answer : new WithStatus(503, answer)
    },
    'health.live': async () => ({ status: 'live' as const }),
    'health.ready': async () => {
      const report = await readiness()
      log.readiness(report)
      const answer = serializeReadiness(report, isDraining())
      return answer.status === 'ready' ? answer : new WithStatus(503, answer)
    },
  } satisfies Partial<OperationHandlers>
}
