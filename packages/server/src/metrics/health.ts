import { Gauge, type Registry } from 'prom-client'
import type { MonitoredState } from '../shared/monitor.ts'

const labels = { database: 'database', cache: 'cache', pushProvider: 'push_provider' } as const

/**
 * Reports what `/health` reports, and how far the clocks of the server and of the database differ. A service that is not configured
 * has no value, and neither has a difference that was not measured yet.
 */
export const healthMetrics = (register: Registry, stateNow: () => MonitoredState | undefined): void => {
  new Gauge({
    name: 'countersign_healthy',
    help: 'Whether the database, the cache and the push provider are healthy (1) or not (0).',
    labelNames: ['service'],
    registers: [register],
    collect: async function () {
      const health = await stateNow()?.health()
      this.reset()
      if (health === undefined) return
      for (const [name, service] of Object.entries(labels)) {
        const status = health.services[name as keyof typeof labels]
        if (status !== 'not_configured') this.set({ service }, status === 'healthy' ? 1 : 0)
      }
    },
  })
  new Gauge({
    name: 'countersign_ready',
    help: 'Whether the database takes writes (1) or not (0), as /health/ready reports.',
    registers: [register],
    collect: async function () {
      const readiness = await stateNow()?.readiness()
      if (readiness === undefined) this.remove()
      else this.set(readiness.status === 'ready' ? 1 : 0)
    },
  })
  new Gauge({
    name: 'countersign_clock_offset_seconds',
    help: 'Seconds by which the clock of the database is ahead of that of this machine. No value on SQLite, which shares the clock.',
    registers: [register],
    collect: async function () {
      const offset = (await stateNow()?.health())?.clockOffsetMs ?? null
      if (offset === null) this.remove()
      else this.set(offset / 1000)
    },
  })
}
