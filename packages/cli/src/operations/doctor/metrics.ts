import { type Config, isLoopbackHost } from '@countersign/server'
import { type Finding, notConfigured, ok } from './check.ts'

/** Names the address of the metrics, and says where others can read them. */
export const examineMetrics = ({ metrics }: Pick<Config, 'metrics'>): Finding => {
  if (metrics === undefined) return notConfigured('no metrics are served')
  const { host, port } = metrics
  const place = `${host.includes(':') ? `[${host}]` : host}:${port === 0 ? 'any free port' : port}`
  return ok(isLoopbackHost(host) ? place : `${place}; other machines can read them without a token`)
}
