import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createTestUser, testPassword } from '@countersign/core/testing'
import { createApp as createCountersignApp } from '@countersign/server'
import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { getRequestListener } from '@hono/node-server'
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { blocksOfTest } from '../tools/docs/page.ts'
import { createApp, installLibraries } from '../tools/docs/testing/stage.ts'

/** The apps of the page: people sign in to a shop that renders on its server, in each framework. */

const directory = createApp(blocksOfTest(import.meta.filename))
installLibraries(directory, ['express', 'hono', '@countersign/client-sdk'])
/** @param query Loads another copy of the module, for a query that was not used before. */
const load = (file: string, query = '') => import(pathToFileURL(join(directory, file)).href + query)

type Listener = (...request: Parameters<RequestListener>) => unknown

const listen = async (listener: Listener) => {
  const server = createServer((...request) => void listener(...request)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

let login: { readonly email: string; readonly password: string }
let service: string
beforeAll(async () => {
  const given = await createTestCountersign()
  const { email } = await createTestUser(given)
  login = { email, password: testPassword }
  const app = createCountersignApp(given.countersign, { version: '1.0.0' })
  const { server, url } = await listen(getRequestListener(app.fetch))
  service = url
  return () => server.close()
})
// The variables are put back before each test.
beforeEach(() => {
  vi.stubEnv('COUNTERSIGN_URL', service)
  vi.stubEnv('SESSION_SECRET', 'a secret of this test, and of nothing else')
})

/** Signs in and out with a browser that has cookies only. Returns what the page says before, between and after. */
const walk = async (listener: Listener) => {
  const { server, url } = await listen(listener)
  onTestFinished(() => void server.close())
  const jar = new Map<string, string>()
  const send = async (path: string, form?: Readonly<Record<string, string>>, origin = url) => {
    const headers = { cookie: [...jar].map((pair) => pair.join('=')).join('; '), connection: 'close' }
    const posted = form && { method: 'POST', headers: { ...headers, origin }, body: new URLSearchParams(form) }
    const response = await fetch(url + path, { headers, redirect: 'manual', ...posted })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }
  const home = async () => (await send('/')).text()
  const before = await home()
  expect((await send('/sign-in', login, 'https://evil.example')).status).toBe(500)
  expect((await send('/sign-in', login)).status).toBe(303)
  const between = await home()
  expect((await send('/sign-out', {})).status).toBe(303)
  return { texts: [before, between, await home()], jar }
}

const texts = () => ['Please sign in', `Hello, ${login.email}`, 'Please sign in']

test('a person signs in to the shop in Hono, and out again', async () => {
  const { shop } = await load('hono-shop.js')
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const walked = await walk(getRequestListener(shop.fetch))
  expect(walked).toEqual({ texts: texts(), jar: new Map() })
})

test('a person signs in to the shop in Express, and out again', async () => {
  const { shop } = await load('express-shop.js')
  vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(await walk(shop)).toEqual({ texts: texts(), jar: new Map() })
})

test('the hook of SvelteKit gives each event the session of its cookies', async () => {
  const { handle } = await load('hooks.server.js')
  const jar = new Map<string, string>()
  /** The members of an event of SvelteKit that the hook uses. */
  const eventOf = () => ({
    request: new Request('http://localhost:5173/', {
      method: 'POST',
      headers: { origin: 'http://localhost:5173', cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
    }),
    cookies: { set: (name: string, value: string) => (value === '' ? jar.delete(name) : jar.set(name, value)) },
    locals: {} as { session: import('@countersign/client-sdk/server').ServerSession },
    getClientAddress: () => '127.0.0.1',
    setHeaders: () => {},
  })
  await handle({
    event: eventOf(),
    resolve: async ({ locals }: ReturnType<typeof eventOf>) => locals.session.client.auth.login(login),
  })
  expect([...jar.keys()]).toEqual(['countersign'])
  const shown = await handle({ event: eventOf(), resolve: ({ locals }: ReturnType<typeof eventOf>) => locals.session.user() })
  expect(shown).toMatchObject({ user: { email: login.email } })
})

test('a bad setting ends the start', async () => {
  vi.stubEnv('SESSION_SECRET', 'short')
  await expect(load('shop-session.js', '?again')).rejects.toThrow('secret: must be one or two texts of at least 32 characters')
})
