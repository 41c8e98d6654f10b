export type { AnsweredRequest } from './http/app-context.ts'
export type { RouteName } from './http/router.ts'
export { createMetrics, type Metrics, type MetricsOptions } from './metrics/create-metrics.ts'
export type { Monitor, MonitoredState } from './shared/monitor.ts'
