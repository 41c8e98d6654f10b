import type { ProbeStatus } from '@countersign/contract'
import { type Clock, type Instant, seconds } from '../clock.ts'

/** How the service is, and what it stands on. A report is up to a second old. */
export interface HealthReport {
  /**
   * `unhealthy` where the database is: nothing works without it. Cache and push provider are reported beside it and do
   * not count: the service goes on without them, and a balancer that took every server out would make it worse.
   */
  readonly status: 'healthy' | 'unhealthy'
  readonly at: Instant
  readonly services: { readonly database: ProbeStatus; readonly cache: ProbeStatus; readonly pushProvider: ProbeStatus }
  /** Since the core was created. */
  readonly uptimeMs: number
}

type Probe = () => Promise<ProbeStatus>

/** What a health check asks. */
interface Probed {
  readonly database: { ping(): Promise<void> }
  readonly clock: Clock
  readonly push: { health(): Promise<ProbeStatus> }
}

const PROBE_TIME = seconds(2)
const REMEMBERED_FOR = seconds(1)

/** A probe that takes too long, or fails, is unhealthy. */
const bounded = async (probe: Probe): Promise<ProbeStatus> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<ProbeStatus>((resolve) => {
    timer = setTimeout(() => resolve('unhealthy'), PROBE_TIME)
  })
  try {
    return await Promise.race([probe(), late])
  } catch {
    // Why it failed is the probed part's own to log; here only that it did counts.
    return 'unhealthy'
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Makes the health check: each probe is bounded to two seconds, and a report is remembered for one, so that asking
 * often costs nothing and cannot be used to load the database.
 */
export const createHealthCheck = (
  { database, clock, push }: Probed,
  cache: Probe = async () => 'not_configured',
): (() => Promise<HealthReport>) => {
  const startedAt = clock.now()
  let remembered: { readonly at: Instant; readonly services: Promise<HealthReport['services']> } | undefined

  const probeAll = async (): Promise<HealthReport['services']> => {
    const [databaseStatus, cacheStatus, pushProvider] = await Promise.all([
      bounded(async () => {
        await database.ping()
        return 'healthy'
      }),
      bounded(cache),
      bounded(() => push.health()),
    ])
    return { database: databaseStatus, cache: cacheStatus, pushProvider }
  }

  return async () => {
    const now = clock.now()
    if (remembered === undefined || Math.abs(now - remembered.at) >= REMEMBERED_FOR) {
      remembered = { at: now, services: probeAll() }
    }
    const services = await remembered.services
    return {
      status: services.database === 'unhealthy' ? 'unhealthy' : 'healthy',
      at: now,
      services,
      uptimeMs: Math.max(0, now - startedAt),
    }
  }
}
