import { type Clock, type Instant, seconds } from '../clock.ts'
import type { UnavailableReason } from '../unavailable-reason.ts'
import { faultOf, inTime } from './run-probe.ts'

/** Says whether the database can be written to. A report is at most one second old. */
export interface ReadinessReport {
  readonly status: 'ready' | 'unready'
  readonly at: Instant
  /** The cause if the status is `unready`, for the log; `null` otherwise. */
  readonly reason: UnavailableReason | null
}

interface Probed {
  readonly database: { probeWrites(): Promise<void> }
  readonly clock: Clock
}

const CACHED_FOR = seconds(1)

/** Makes the readiness check, which writes at most once a second. A probe is late after two seconds, until it ends. */
export const createReadinessCheck = ({ database, clock }: Probed): (() => Promise<ReadinessReport>) => {
  let cached: { readonly at: Instant; readonly reason: Promise<UnavailableReason | null> } | undefined
  let running: Promise<UnavailableReason | null> | undefined
  let isLate = false

  const start = (): Promise<UnavailableReason | null> => {
    const started = faultOf(() => database.probeWrites())
    running = started
    void started.then(() => {
      running = undefined
      isLate = false
    })
    return started
  }

  const probeInTime = async (): Promise<UnavailableReason | null> => {
    if (isLate) return 'database_timeout'
    const reason = await inTime<UnavailableReason | null | 'late'>(() => running ?? start(), 'late')
    if (reason !== 'late') return reason
    isLate = running !== undefined
    return 'database_timeout'
  }

  return async () => {
    const now = clock.now()
    if (cached === undefined || Math.abs(now - cached.at) >= CACHED_FOR) cached = { at: now, reason: probeInTime() }
    const reason = await cached.reason
    return { status: reason === null ? 'ready' : 'unready', at: now, reason }
  }
}
