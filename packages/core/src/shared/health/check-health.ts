import type { ProbeStatus } from '@countersign/contract'
import { type Clock, type Instant, seconds } from '../clock.ts'

/** The health of the service and its dependencies. A report is at most one second old. */
export interface HealthReport {
  /**
   * The status of the database, without which nothing works. The cache and the push provider do not change the status: the
   * service works without them, and a load balancer must not remove every server because of them.
   */
  readonly status: 'healthy' | 'unhealthy'
  readonly at: Instant
  readonly services: { readonly database: ProbeStatus; readonly cache: ProbeStatus; readonly pushProvider: ProbeStatus }
  /** The milliseconds since the health check was created. */
  readonly uptimeMs: number
}

type Probe = () => Promise<ProbeStatus>

/** The dependencies of a health check. */
interface Probed {
  readonly database: { ping(): Promise<void> }
  readonly clock: Clock
  readonly push: { health(): Promise<ProbeStatus> }
}

const PROBE_TIMEOUT = seconds(2)
const CACHED_FOR = seconds(1)

/** Runs a probe. A probe that fails, or takes more than two seconds, is `unhealthy`. */
const probeInTime = async (probe: Probe): Promise<ProbeStatus> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<ProbeStatus>((resolve) => {
    timer = setTimeout(() => resolve('unhealthy'), PROBE_TIMEOUT)
  })
  try {
    return await Promise.race([probe(), late])
  } catch {
    // The probed dependency logs the cause.
    return 'unhealthy'
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Makes the health check. Each probe may take two seconds. A report is cached for one second, so frequent requests cannot load
 * the database.
 */
export const createHealthCheck = (
  { database, clock, push }: Probed,
  cache: Probe = async () => 'not_configured',
): (() => Promise<HealthReport>) => {
  const startedAt = clock.now()
  let cached: { readonly at: Instant; readonly services: Promise<HealthReport['services']> } | undefined

  const probeAll = async (): Promise<HealthReport['services']> => {
    const [databaseStatus, cacheStatus, pushProvider] = await Promise.all([
      probeInTime(async () => {
        await database.ping()
        return 'healthy'
      }),
      probeInTime(cache),
      probeInTime(() => push.health()),
    ])
    return { database: databaseStatus, cache: cacheStatus, pushProvider }
  }

  return async () => {
    const now = clock.now()
    if (cached === undefined || Math.abs(now - cached.at) >= CACHED_FOR) {
      cached = { at: now, services: probeAll() }
    }
    const services = await cached.services
    return {
      status: services.database === 'unhealthy' ? 'unhealthy' : 'healthy',
      at: now,
      services,
      uptimeMs: Math.max(0, now - startedAt),
    }
  }
}
