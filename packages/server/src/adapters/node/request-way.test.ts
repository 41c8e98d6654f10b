import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { type Fetch, requestWay } from './request-way.ts'

const server = createServer()
afterEach(() => server.close())

const start = async (fetch: Fetch): Promise<string> => {
  const { handle } = requestWay(fetch)
  server.on('request', (incoming, outgoing) => void handle(incoming, outgoing))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('answers the first requests, all at once and with bodies, as it answers later ones', async () => {
  const url = await start(async (request) => new Response(`${request.method} ${await request.text()}`, { status: 201 }))
  const ask = async (body: string) => {
    const response = await fetch(url, { method: 'POST', body })
    return [response.status, await response.text()]
  }
  const bodies = Array.from({ length: 20 }, (_, number) => String(number).repeat(10_000))
  expect(await Promise.all(bodies.map(ask))).toEqual(bodies.map((body) => [201, `POST ${body}`]))
  expect(await ask('later')).toEqual([201, 'POST later'])
})
