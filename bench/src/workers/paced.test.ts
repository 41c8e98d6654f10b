import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { startWorker } from '../harness/calls.ts'
import type { methods } from './paced.ts'

it('sends a request when it is due, without waiting for the next', async () => {
  const server = createServer((_, response) => response.end('{}'))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const client = startWorker<typeof methods>(new URL('./paced.ts', import.meta.url))
  onTestFinished(async () => {
    await client.close()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const requests = [{ method: 'GET' as const, path: '/', headers: {} }]
  await client.call('open', { url: `http://127.0.0.1:${port}`, perSecond: 5, requests, mayRefuse: false })

  const { operations, latency } = await client.call('round', 2)

  expect(operations).toBe(10)
  // One period is 200 ms.
  expect(latency?.p50).toBeLessThan(100)
})
