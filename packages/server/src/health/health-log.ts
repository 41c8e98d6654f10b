import type { Logger } from '@countersign/core'

/** Logs each change of the health and of the readiness, with its cause. No response names the cause. */
export const healthLog = (logger: Logger) => {
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
