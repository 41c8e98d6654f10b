import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { errorBody, projectErrorBody } from '@countersign/contract'
import { expect, it, onTestFinished } from 'vitest'
import { haproxyIsThere, startHaproxy } from '../testing/start-haproxy.ts'

/** A server that is healthy, or one whose database is away. Only `/health` knows. */
const startServer = async () => {
  const seen: string[] = []
  const state = { health: 200 }
  const server = createServer(({ url = '', headers }, response) => {
    const isCheck = headers['x-forwarded-for'] === undefined
    if (!isCheck) seen.push(`${url} ${String(headers['x-forwarded-for'])}`)
    response.writeHead(url === '/health' ? state.health : 200).end()
  })
  server.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, seen, state }
}

const start = async () => {
  const server = await startServer()
  const { outside, inside } = await startHaproxy([server.port])
  const ask = (url: string) => (path: string) => fetch(`${url}${path}`)
  const statusOf = (url: string) => (path: string) =>
    ask(url)(path).then(
      ({ status }) => status,
      () => 0,
    )
  await expect.poll(() => statusOf(outside)('/api')).toBe(200)
  return { ...server, ask: ask(outside), statusOf: statusOf(outside), inside: statusOf(inside) }
}

const internal = ['/internal', '/internal/verify', '/INTERNAL/verify', '/%69nternal/verify', '/internal%2Fverify']

it.runIf(haproxyIsThere)(
  'HAProxy forwards public paths with the address of the client, and /internal only on the internal port',
  async () => {
    const { statusOf, inside, seen } = await start()
    expect(await Promise.all(internal.map(statusOf))).toEqual(internal.map(() => 404))
    expect(new Set(seen)).toEqual(new Set(['/api 127.0.0.1']))
    expect(await Promise.all(internal.map(inside))).toEqual(internal.map(() => 200))
    const others = ['/api', '/health', '/approve/']
    expect(await Promise.all(others.map(inside))).toEqual(others.map(() => 404))
  },
)

it.runIf(haproxyIsThere)(
  'while the database is down, HAProxy answers as a server does, and forwards requests that need no database',
  async () => {
    const { ask, statusOf, state } = await start()
    state.health = 503
    await expect.poll(() => statusOf('/api/v1/projects')).toBe(503)
    const response = await ask('/api/v1/projects')
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('retry-after')).toBe('2')
    const body: unknown = await response.json()
    expect(errorBody.parse(body)).toMatchObject({ statusCode: 503, code: 'unavailable' })
    expect(projectErrorBody.parse(body)).toMatchObject({ error: { statusCode: 503, code: 'UNAVAILABLE' } })
    const pages = ['/approve/', '/docs', '/openapi.json', '/health/live']
    expect(await Promise.all(pages.map(statusOf))).toEqual(pages.map(() => 200))
  },
)
