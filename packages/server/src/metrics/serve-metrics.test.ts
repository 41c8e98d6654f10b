import { recordingLogger } from '@countersign/core/testing'
import { expect, it, onTestFinished } from 'vitest'
import { createMetrics, type Metrics } from './create-metrics.ts'
import { serveMetrics } from './serve-metrics.ts'

const start = async (changes: Partial<Metrics> = {}) => {
  const logger = recordingLogger()
  const { url, close } = await serveMetrics({ ...createMetrics(), ...changes }, { host: '127.0.0.1', port: 0 }, logger)
  onTestFinished(() => close(0))
  return { url, logger }
}

it('GET /metrics returns the text format of Prometheus', async () => {
  const { url } = await start()
  const response = await fetch(`${url}/metrics`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  expect(await response.text()).toMatch(/^# TYPE countersign_requests_total counter$/m)
})

it.each([
  ['GET', '/', 404],
  ['GET', '/metrics/more', 404],
  ['GET', '/health', 404],
  ['POST', '/metrics', 405],
  ['HEAD', '/metrics', 200],
])('%s %s is answered with %i', async (method, path, status) => {
  const { url } = await start()
  expect((await fetch(`${url}${path}`, { method })).status).toBe(status)
})

it('a failure is answered with 500 and logged, without its message', async () => {
  const { url, logger } = await start({ text: () => Promise.reject(new TypeError('secret')) })
  const response = await fetch(`${url}/metrics`)
  expect([response.status, await response.text()]).toEqual([500, 'Internal server error\n'])
  expect(logger.entries).toMatchObject([{ level: 'error', event: 'metrics_failed', fields: { error: 'TypeError' } }])
  expect(JSON.stringify(logger.entries)).not.toContain('secret')
})
