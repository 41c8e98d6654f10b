import type { ProbeStatus } from '@countersign/contract'
import { type Clock, type Instant, type Milliseconds, seconds } from '../clock.ts'
import type { UnavailableReason } from '../unavailable-reason.ts'
import { faultOf, inTime } from './run-probe.ts'

/** The health of the service and its dependencies. A report is at most one second old. */
export interface HealthReport {
  /** The status of the database alone: a load balancer must not remove every server because of the cache or the push provider. */
  readonly status: 'healthy' | 'unhealthy'
  readonly at: Instant
  readonly services: { readonly database: ProbeStatus; readonly cache: ProbeStatus; readonly pushProvider: ProbeStatus }
  /** The cause if the database is unhealthy, for the log; `null` otherwise. No response names it. */
  readonly reason: UnavailableReason | null
  /** By how much the database's clock is ahead; `null` if not known. For the log: the clock port corrects it. */
  readonly clockOffsetMs: Milliseconds | null
  /** The time since the health check was created. */
  readonly uptimeMs: Milliseconds
}

type Probe = () => Promise<ProbeStatus>

interface Probed {
  readonly database: { ping(): Promise<void> }
  readonly clock: Clock
  readonly push: { health(): Promise<ProbeStatus> }
}

const CACHED_FOR = seconds(1)

/** Runs a probe. A probe that fails, or takes more than two seconds, is `unhealthy`. */
const probeInTime = async (probe: Probe): Promise<ProbeStatus> => {
  try {
    return await inTime(probe, 'unhealthy')
  } catch {
    // The probed dependency logs the cause.
    return 'unhealthy'
  }
}

type Probes = Pick<HealthReport, 'services' | 'reason'>

/** Makes the health check. Each probe may take two seconds. A report is cached for one, so requests cannot load the database. */
export const createHealthCheck = (
  { database, clock, push }: Probed,
  cache: Probe = async () => 'not_configured',
): (() => Promise<HealthReport>) => {
  const startedAt = clock.now()
  let cached: { readonly at: Instant; readonly probes: Promise<Probes> } | undefined

  const probeAll = async (): Promise<Probes> => {
    const [reason, cacheStatus, pushProvider] = await Promise.all([
      inTime<UnavailableReason | null>(() => faultOf(() => database.ping()), 'database_timeout'),
      probeInTime(cache),
      probeInTime(() => push.health()),
    ])
    return { reason, services: { database: reason === null ? 'healthy' : 'unhealthy', cache: cacheStatus, pushProvider } }
  }

  return async () => {
    const now = clock.now()
    if (cached === undefined || Math.abs(now - cached.at) >= CACHED_FOR) {
      cached = { at: now, probes: probeAll() }
    }
    const { reason, services } = await cached.probes
    return {
      status: reason === null ? 'healthy' : 'unhealthy',
      at: now,
      services,
      reason,
      clockOffsetMs: clock.offset?.() ?? null,
      uptimeMs: Math.max(0, now - startedAt),
    }
  }
}
