import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { readVersion } from '../config/version.ts'
import type { Monitor, MonitoredState } from '../shared/monitor.ts'
import { confirmationMetrics, logMetrics, pushMetrics, requestMetrics } from './counted.ts'
import { databaseMetrics, stateMetrics } from './state.ts'

/** The metrics of one server, in the text format of Prometheus. */
export interface Metrics extends Monitor {
  /** Returns all metrics, for the response to a scrape. */
  readonly text: () => Promise<string>
  readonly contentType: string
}

export interface MetricsOptions {
  /** True if the metrics of the process and of Node are added: memory, processor, event loop. By default true. */
  readonly process?: boolean
}

/** Creates the metrics of a server. Every label has few values: none names a user, a device, a path or an address. */
export const createMetrics = ({ process: withProcess = true }: MetricsOptions = {}): Metrics => {
  const register = new Registry()
  let state: MonitoredState | undefined
  const stateNow = () => state

  new Gauge({
    name: 'countersign_info',
    help: 'The version of this server. The value is always 1.',
    labelNames: ['version'],
    registers: [register],
  }).set({ version: readVersion() }, 1)
  if (withProcess) collectDefaultMetrics({ register })
  // Gauges with the name of a counter. The gauges without `_total` say the same by type.
  for (const what of ['handles', 'requests', 'resources']) register.removeSingleMetric(`nodejs_active_${what}_total`)
  stateMetrics(register, stateNow)

  return {
    request: requestMetrics(register),
    confirmation: confirmationMetrics(register),
    statement: databaseMetrics(register, stateNow),
    countingPush: pushMetrics(register),
    countingLogger: logMetrics(register),
    watch: (given) => {
      state = given
    },
    text: () => register.metrics(),
    contentType: register.contentType,
  }
}
