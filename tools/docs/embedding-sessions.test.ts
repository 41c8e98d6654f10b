import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type AdoptedTokens, createClient } from '@countersign/client-sdk'
import type { DirectoryUser } from '@countersign/core'
import { createTestDevice, registerTestDevice } from '@countersign/core/testing'
import { createApp } from '@countersign/server'
import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { type Configuration, Provider } from 'oidc-provider'
import * as oidc from 'openid-client'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { blocksOfTest } from './page.ts'
import { installLibraries } from './stage.ts'

/** The walk of the page: a shop in Express signs a person in, by OIDC or by itself, and opens a session of Countersign. */

const directory = mkdtempSync(join(tmpdir(), 'countersign-docs-sessions-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
installLibraries(directory, ['express', 'express-session', 'openid-client'])
writeFileSync(join(directory, 'package.json'), '{ "type": "module" }')
for (const { text, marks } of blocksOfTest(import.meta.filename)) writeFileSync(join(directory, marks.get('title') ?? ''), text)

const fileOfPage = (name: string) => import(pathToFileURL(join(directory, name)).href)

const closing: (() => unknown)[] = []
beforeEach(() => {
  // The provider warns of its test settings.
  for (const method of ['info', 'warn'] as const) vi.spyOn(console, method).mockImplementation(() => {})
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const close of closing.splice(0)) await close()
})

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

/** Serves what is set later, because the address is needed to make it. */
const serve = async () => {
  let listener: Listener = () => {}
  const server = createServer((request, response) => void listener(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const use = (next: Listener) => {
    listener = next
  }
  return { url, use }
}

/** A browser, as far as redirects and cookies go. */
const createBrowser = () => {
  const cookies = new Map<string, Map<string, string>>()
  const send = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { origin } = new URL(url)
    const jar = cookies.get(origin) ?? new Map<string, string>()
    cookies.set(origin, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(init.headers as Record<string, string>), ...(cookie !== '' && { cookie }) }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }
  /** Opens a page and follows the redirects. Fills the forms of the provider in. */
  const visit = async (start: string): Promise<{ readonly url: string; readonly text: string }> => {
    let [url, response] = [start, await send(start)]
    for (let step = 0; step < 20; step += 1) {
      const location = response.headers.get('location')
      if (location !== null) {
        url = new URL(location, url).href
        response = await send(url)
        continue
      }
      const text = await response.text()
      const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1]
      if (prompt === undefined) return { url, text }
      const body = new URLSearchParams({ prompt, ...(prompt === 'login' && { login: 'grace', password: 'any' }) })
      response = await send(url, { method: 'POST', body })
    }
    throw new Error('too many redirects')
  }
  return { send, visit, cookies }
}

const customers: readonly DirectoryUser[] = [
  { id: 'customer-7', email: 'grace@example.com', passwordHash: null, disabled: false },
]
const users = {
  byId: async (wanted: string) => customers.find(({ id }) => id === wanted),
  byEmail: async (wanted: string) => customers.find(({ email }) => email === wanted),
}
const customerOf = async (sub: string) => (sub === 'grace' ? customers[0] : undefined)

const check = async (email: string, password: string) =>
  password === 'right' ? customers.find((one) => one.email === email) : undefined

const given = async () => {
  const [shop, op, auth] = [await serve(), await serve(), await serve()]
  const countersign = await createTestCountersign({ users })
  countersign.clock.set(Date.now())
  const app = createApp(countersign.countersign, { version: '1.0.0' })
  auth.use(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string])
    const answer = await app.fetch(
      new Request(`${auth.url}${request.url}`, { method: request.method ?? 'GET', headers, ...body }),
    )
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()))
  })
  const client = { client_id: 'shop', client_secret: 'a secret of the shop', redirect_uris: [`${shop.url}/login/callback`] }
  const settings: Configuration = {
    clients: [client],
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ sub, email: 'grace@example.com' }) }),
    claims: { openid: ['sub', 'auth_time'], email: ['email'] },
    cookies: { keys: ['a key of the provider'] },
  }
  op.use(new Provider(op.url, settings).callback())
  const provider = await oidc.discovery(new URL(op.url), client.client_id, client.client_secret, undefined, {
    execute: [oidc.allowInsecureRequests],
  })
  const { createShop } = await fileOfPage('shop.js')
  const settingsOfShop = { provider, url: shop.url, secret: 'of the cookie', customerOf, check }
  shop.use(createShop({ countersign: countersign.countersign, ...settingsOfShop }))
  return { ...countersign, shop, auth, browser: createBrowser() }
}

const postTo = ({ shop, browser }: Awaited<ReturnType<typeof given>>, path: string) =>
  browser.send(`${shop.url}${path}`, { method: 'POST' })

test('a person signs in by OIDC, registers a phone in the session of Countersign, and is signed out everywhere', async () => {
  const test = await given()
  const { shop, auth, browser, countersign } = test
  expect((await postTo(test, '/countersign/session')).status).toBe(401)

  expect(await browser.visit(`${shop.url}/login`)).toEqual({ url: `${shop.url}/`, text: 'Welcome' })
  const answer = await postTo(test, '/countersign/session')
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])

  const client = createClient({ baseUrl: auth.url })
  await client.adopt((await answer.json()) as AdoptedTokens)
  const token = (await client.accessToken()) ?? ''
  const caller = await countersign.auth.authenticate({ token })
  expect(caller).toMatchObject({ directoryId: 'customer-7', email: 'grace@example.com', trustLevel: 'standard' })
  const [session] = await countersign.sessions.list({ email: 'grace@example.com' })
  expect(session).toMatchObject({ authMethod: 'host', address: '127.0.0.1', host: { method: 'oidc', openedBy: null } })
  expect((await registerTestDevice({ countersign }, caller, { signer: createTestDevice('ES256') })).device.trusted).toBe(true)
  expect((await client.devices.list()).devices).toHaveLength(1)

  const left = await postTo(test, '/logout')
  expect([left.status, left.headers.get('location')]).toEqual([303, '/'])
  await expect(client.devices.list()).rejects.toMatchObject({ code: 'SESSION_ENDED' })
  expect((await postTo(test, '/countersign/session')).status).toBe(401)
})

test('a person signs in at the shop by password, and the cookie opens sessions for a day', async () => {
  const test = await given()
  const { shop, browser, countersign, clock } = test
  const logIn = (password: string) =>
    browser.send(`${shop.url}/login`, { method: 'POST', body: new URLSearchParams({ email: 'grace@example.com', password }) })
  expect([(await logIn('wrong')).status, (await postTo(test, '/countersign/session')).status]).toEqual([401, 401])
  expect((await logIn('right')).status).toBe(303)
  const { accessToken } = (await (await postTo(test, '/countersign/session')).json()) as AdoptedTokens
  expect(await countersign.auth.authenticate({ token: accessToken })).toMatchObject({ directoryId: 'customer-7' })
  expect(await countersign.sessions.list({ email: 'grace@example.com' })).toMatchObject([{ host: { method: 'password' } }])
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 60 * 60_000 + 1 })
  try {
    clock.set(Date.now())
    expect((await postTo(test, '/countersign/session')).status).toBe(401)
  } finally {
    vi.useRealTimers()
  }
})

test('an old session at the provider opens no fresh session, although the person has just come to the shop', async () => {
  const test = await given()
  const { shop, browser, countersign, clock } = test
  await browser.visit(`${shop.url}/login`)
  // Eleven minutes later, a thief who has the cookies of the provider only signs in at the shop without any form.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 })
  try {
    clock.set(Date.now())
    browser.cookies.delete(shop.url)
    expect((await browser.visit(`${shop.url}/login`)).text).toBe('Welcome')
    const { accessToken } = (await (await postTo(test, '/countersign/session')).json()) as AdoptedTokens
    const caller = await countersign.auth.authenticate({ token: accessToken })
    expect((await registerTestDevice({ countersign }, caller)).device.trusted).toBe(false)
  } finally {
    vi.useRealTimers()
  }
})

test('a callback that the person did not begin signs nobody in', async () => {
  const { shop, browser } = await given()
  const response = await browser.send(`${shop.url}/login/callback?code=stolen&state=foreign`)
  expect([response.status, response.headers.get('location')]).toEqual([302, '/login'])
})
