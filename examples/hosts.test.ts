import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bun, deno, isThere } from '../tools/testing/runtimes.ts'
import { ada, describeHost, postJson, type Send } from './testing/describe-host.ts'
import {
  createWorkplace,
  node,
  type RunningExample,
  type Runtime,
  startExample,
  type Workplace,
} from './testing/start-example.ts'

/** Sends a target that `fetch` would normalize, and returns the status. */
const statusOfTarget = async (url: string, target: string): Promise<number> => {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  // `write`, not `end`: Deno drops the response to a client that has closed its half of the connection.
  socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nX-Service-Name: x\r\nConnection: close\r\n\r\n`)
  return Number((await text(socket)).split(' ')[1])
}

const runtimes: readonly Runtime[] = [
  node,
  { name: 'Bun', command: bun, args: [] },
  { name: 'Deno', command: deno, args: ['run', '--allow-all', '--no-prompt'] },
].map((one) => (isThere(one.command) ? one : { ...one, name: `${one.name}, which this machine does not have` }))

const hosts = runtimes.flatMap((runtime) =>
  ['hono/server.ts', 'express/server.ts', 'fastify/server.ts'].map((script) => ({ script, runtime })),
)

describe.for(hosts)('$script under $runtime.name', ({ script, runtime }) => {
  if (!isThere(runtime.command)) {
    it.skip('is left out')
    return
  }
  let workplace: Workplace
  let example: RunningExample
  beforeAll(async () => {
    workplace = createWorkplace()
    await workplace.withCountersign(({ users }) => users.create(ada))
    example = await startExample(script, workplace, runtime)
  })
  afterAll(async () => {
    await example?.stop()
    workplace.remove()
  })
  const send: Send = (path, init) => fetch(new URL(path, example.url), init)

  describeHost(send)

  it('serves its own routes and the routes of Countersign below /api', async () => {
    const own = await send('/api/orders')
    expect([own.status, await own.json()]).toEqual([200, { orders: [] }])
    const none = await send('/api/v1/nothing')
    expect([none.status, none.headers.has('x-request-id')]).toEqual([404, false])
    const known = await send('/api/v1/auth/login')
    expect([known.status, known.headers.get('allow')]).toEqual([405, 'POST'])
  })

  it('passes the address of each client to Countersign, for its rate limits', async () => {
    const limited = await send('/api/v1/auth/login', { ...postJson(ada), headers: { 'Content-Type': 'application/json' } })
    const before = /r=(\d+)/.exec(limited.headers.get('ratelimit') ?? '')?.[1]
    const elsewhere = await send('/api/v1/auth/login', {
      ...postJson(ada),
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '192.0.2.1' },
    })
    const after = /r=(\d+)/.exec(elsewhere.headers.get('ratelimit') ?? '')?.[1]
    expect(Number(after)).toBeLessThan(Number(before))
  })

  it('responds 404 to a path that normalization changes', async () => {
    expect(await statusOfTarget(example.url, '/api/v1/../../internal/verify')).toBe(404)
    expect(await statusOfTarget(example.url, '/internal/verify')).toBe(401)
  })

  it('exits with 0 on SIGTERM', async () => {
    expect(await example.stop()).toBe(0)
  })
})
