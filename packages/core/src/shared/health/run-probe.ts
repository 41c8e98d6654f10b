import { seconds } from '../clock.ts'
import { Unavailable } from '../errors.ts'
import type { UnavailableReason } from '../unavailable-reason.ts'

const PROBE_TIMEOUT = seconds(2)

/** Runs a probe for at most two seconds. Resolves with `late` if the probe takes longer. Rejects if the probe fails in time. */
export const inTime = async <T>(probe: () => Promise<T>, late: T): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late), PROBE_TIMEOUT)
  })
  try {
    return await Promise.race([probe(), timeout])
  } finally {
    clearTimeout(timer)
  }
}

/** Asks the database. Resolves with the cause if the database fails, and with `null` otherwise. */
export const faultOf = async (ask: () => Promise<void>): Promise<UnavailableReason | null> => {
  try {
    await ask()
    return null
  } catch (error) {
    return reasonOfProbe(error)
  }
}

/** Names the cause of a failed probe of the database. */
export const reasonOfProbe = (error: unknown): UnavailableReason =>
  error instanceof Unavailable ? error.reason : 'database_failed'
