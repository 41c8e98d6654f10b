import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { operations } from '@countersign/contract'
import { getRequestListener } from '@hono/node-server'
import { expect, it, onTestFinished } from 'vitest'
import { createTestApp, type TestApp } from '../testing/test-app.ts'

const PATH = operations['mobile.beginLogin'].path
const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"deviceFingerprint":"canary"}' }
const warningsOf = ({ logger }: TestApp) => logger.entries.filter(({ event }) => event === 'body_already_read')
const warning = { level: 'warn', event: 'body_already_read', fields: { hint: expect.stringContaining('body parser') } }

/** Serves on a free port, and returns the URL of the operation. */
const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`
}

it('a body parser that the host runs before Countersign causes one warning, which does not contain the body', async () => {
  const test = await createTestApp()
  const listener = getRequestListener(test.app.fetch)
  const url = await serve((request, response) => {
    request.resume().once('end', () => void listener(request, response))
  })
  for (let count = 0; count < 2; count += 1) {
    const response = await fetch(url, post)
    expect([response.status, await response.json()]).toMatchObject([400, { message: 'body: must arrive whole' }])
  }
  expect(warningsOf(test)).toEqual([warning])
  expect(JSON.stringify(test.logger.entries)).not.toContain('canary')
})

it('a handler that reads the `Request` before Countersign causes the warning too', async () => {
  const test = await createTestApp()
  const request = new Request(`http://localhost${PATH}`, post)
  await request.json()
  expect((await test.app.fetch(request)).status).toBe(400)
  expect(warningsOf(test)).toEqual([warning])
})

it('a client that disconnects early causes no warning', async () => {
  const test = await createTestApp()
  const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('gone')) })
  const request = new Request(`http://localhost${PATH}`, { ...post, body, duplex: 'half' })
  expect((await test.app.fetch(request)).status).toBe(400)
  expect(warningsOf(test)).toEqual([])
})
