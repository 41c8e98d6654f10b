import type { CountersignIdentity, Logger } from '@countersign/core'
import { type OperationHandlers, WithStatus } from '../http/operation-handler.ts'

/** Logs each change of the health and of the readiness, with its cause. No response names the cause. */
const healthLog = (logger: Logger) => {
  /** Logs the cause if it differs from the previous cause. At its start, a server counts as healthy and ready. */
  const onChange = (well: string, unwell: string) => {
    let last: string | null = null
    return ({ reason }: { readonly reason: string | null }): void => {
      if (reason === last) return
      last = reason
      if (reason === null) logger.info(well)
      else logger.warn(unwell, { reason })
    }
  }
  return { health: onChange('healthy', 'unhealthy'), readiness: onChange('ready', 'unready') }
}

export interface HealthSettings {
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
  // Load balancers read only the status of HTTP, and not the body.
  const answered = <T>(isWell: boolean, answer: T) => (isWell ? answer : new WithStatus(503, answer))
  return {
    'health.check': async () => {
      const report = await health()
      log.health(report)
      const { at: timestamp, services, uptimeMs } = report
      const status = isDraining() ? ('draining' as const) : report.status
      const answer = { status, timestamp, version, services: { ...services, push_provider: services.pushProvider } }
      return answered(status === 'healthy', { ...answer, uptime: Math.floor(uptimeMs / 1000) })
    },
    'health.live': async () => ({ status: 'live' as const }),
    'health.ready': async () => {
      const report = await readiness()
      log.readiness(report)
      const status = isDraining() ? ('draining' as const) : report.status
      return answered(status === 'ready', { status, timestamp: report.at })
    },
  } satisfies Partial<OperationHandlers>
}
