import { Gauge, type Registry } from 'prom-client'
import type { MonitoredState } from '../shared/monitor.ts'

const labels = { database: 'database', cache: 'cache', pushProvider: 'push_provider' } as const

/** Reports what `/health` reports. A service that is not configured has no value. */
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
}
