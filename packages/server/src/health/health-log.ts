import type { HealthReport, Logger, ReadinessReport } from '@countersign/core'

/** Logs each change of the health and of the readiness, with its cause. No response names the cause. */
export interface HealthLog {
  health(report: Pick<HealthReport, 'reason'>): void
  readiness(report: Pick<ReadinessReport, 'reason'>): void
}

export const healthLog = (logger: Logger): HealthLog => {
  /** Logs if the cause differs from the one before. A server starts as well. */
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
