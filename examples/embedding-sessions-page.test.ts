import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type AdoptedTokens, createClient } from '@countersign/client-sdk'
import { createTestDevice, registerTestDevice } from '@countersign/core/testing'
import { createApp as createCountersignApp } from '@countersign/server'
import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { Provider } from 'oidc-provider'
import * as oidc from 'openid-client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { blocksOfTest } from '../tools/docs/page.ts'
import { createApp, installLibraries } from '../tools/docs/testing/stage.ts'

/** The walk of the page: a shop in Express signs a person in, by OIDC or by itself, and opens a session of Countersign. */

const directory = createApp(blocksOfTest(import.meta.filename))
installLibraries(directory, ['express', 'express-session', 'openid-client'])

/** Listens first, because the address is needed to make the listener. */
const listen = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** A browser, with redirects and cookies only. All ports of a host share the cookies. It fills in the forms of the provider. */
const createBrowser = () => {
  const cookies = new Map<string, string>()
  const send = async (url: string, form?: Readonly<Record<string, string>>): Promise<Response> => {
    const headers = { cookie: [...cookies].map((cookie) => cookie.join('=')).join('; ') }
    const posted = form && { method: 'POST', body: new URLSearchParams(form) }
    const response = await fetch(url, { headers, redirect: 'manual', ...posted })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return response
  }
  const visit = async (url: string, form?: Readonly<Record<string, string>>): Promise<{ url: string; text: string }> => {
    const response = await send(url, form)
    const location = response.headers.get('location')
    if (location !== null) return visit(new URL(location, url).href)
    const text = await response.text()
    const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1]
    return prompt === undefined ? { url, text } : visit(url, { prompt, login: 'grace', password: 'any' })
  }
  return { send, visit, cookies }
}

const email = 'grace@example.com'
const grace = { id: 'customer-7', email, passwordHash: null, disabled: false }

const given = async () => {
  // The provider warns of its test settings.
  for (const method of ['info', 'warn'] as const) vi.spyOn(console, method).mockImplementation(() => {})
  onTestFinished(() => void vi.restoreAllMocks().useRealTimers())
  const [shop, op, browser] = [await listen(), await listen(), createBrowser()]
  const users = {
    byId: async (wanted: string) => (wanted === grace.id ? grace : undefined),
    byEmail: async (wanted: string) => (wanted === email ? grace : undefined),
  }
  const { countersign, clock } = await createTestCountersign({ users })
  clock.set(Date.now())
  const client = { client_id: 'shop', client_secret: 'a secret of the shop', redirect_uris: [`${shop.url}/login/callback`] }
  const settings = {
    clients: [client],
    findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: async () => ({ sub, email }) }),
    claims: { openid: ['sub', 'auth_time'], email: ['email'] },
    cookies: { keys: ['a key of the provider'] },
  }
  const answer = new Provider(op.url, settings).callback()
  op.server.on('request', (request, response) => void answer(request, response))
  const provider = await oidc.discovery(new URL(op.url), client.client_id, client.client_secret, undefined, {
    execute: [oidc.allowInsecureRequests],
  })
  const { createShop } = await import(pathToFileURL(join(directory, 'shop.js')).href)
  const customerOf = async (sub: string) => (sub === 'grace' ? grace : undefined)
  const check = async (_: string, password: string) => (password === 'right' ? grace : undefined)
  shop.server.on('request', createShop({ countersign, provider, url: shop.url, secret: 'of the cookie', customerOf, check }))
  const post = (path: string, form = {}) => browser.send(`${shop.url}${path}`, form)
  return {
    ...{ countersign, shop, browser, post },
    openSession: async () => (await (await post('/countersign/session')).json()) as AdoptedTokens,
    statusOfSession: async () => (await post('/countersign/session')).status,
    goOn: (milliseconds: number) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds })
      clock.set(Date.now())
    },
  }
}

test('a person signs in by OIDC, registers a phone in the session of Countersign, and signs out of this browser only', async () => {
  const { shop, browser, countersign, post, statusOfSession } = await given()
  expect(await statusOfSession()).toBe(401)
  const stolen = await browser.send(`${shop.url}/login/callback?code=stolen&state=foreign`)
  expect([stolen.status, stolen.headers.get('location')], 'a callback that nobody began').toEqual([302, '/login'])

  expect(await browser.visit(`${shop.url}/login`)).toEqual({ url: `${shop.url}/`, text: 'Welcome' })
  const answer = await post('/countersign/session')
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])

  const app = createCountersignApp(countersign, { version: '1.0.0' })
  const client = createClient({ baseUrl: 'https://auth.example.com', fetch: async (request) => app.fetch(request) })
  await client.adopt((await answer.json()) as AdoptedTokens)
  const caller = await countersign.auth.authenticate({ token: (await client.accessToken()) ?? '' })
  expect(caller).toMatchObject({ directoryId: grace.id, email, trustLevel: 'standard' })
  const [session] = await countersign.sessions.list({ email })
  expect(session).toMatchObject({ authMethod: 'host', address: '127.0.0.1', host: { method: 'oidc', openedBy: null } })
  expect((await registerTestDevice({ countersign }, caller, { signer: createTestDevice('ES256') })).device.trusted).toBe(true)
  expect((await client.devices.list()).devices).toHaveLength(1)

  const elsewhere = { user: { directoryId: grace.id }, signedInAt: Date.now(), method: 'oidc' } as const
  const { sessionId: other } = await countersign.sessions.open(elsewhere)

  const left = await post('/logout')
  expect([left.status, left.headers.get('location')]).toEqual([303, '/'])
  await expect(client.devices.list()).rejects.toMatchObject({ code: 'SESSION_ENDED' })
  expect(await statusOfSession()).toBe(401)
  expect((await countersign.sessions.list({ email })).map(({ id }) => id)).toEqual([other])
})

test('a person signs in at the shop by password, and the cookie opens sessions for a day', async () => {
  const { countersign, post, openSession, statusOfSession, goOn } = await given()
  expect([(await post('/login', { email, password: 'wrong' })).status, await statusOfSession()]).toEqual([401, 401])
  expect((await post('/login', { email, password: 'right' })).status).toBe(303)
  const { accessToken: token } = await openSession()
  expect(await countersign.auth.authenticate({ token })).toMatchObject({ directoryId: grace.id })
  expect(await countersign.sessions.list({ email })).toMatchObject([{ host: { method: 'password' } }])
  goOn(24 * 60 * 60_000 + 1)
  expect(await statusOfSession()).toBe(401)
})

test('an old session at the provider opens no fresh session, although the person has just come to the shop', async () => {
  const { shop, browser, countersign, openSession, goOn } = await given()
  await browser.visit(`${shop.url}/login`)
  // Eleven minutes later, a thief who has the cookies of the provider only signs in at the shop without any form.
  goOn(11 * 60_000)
  browser.cookies.delete('shop')
  expect((await browser.visit(`${shop.url}/login`)).text).toBe('Welcome')
  const caller = await countersign.auth.authenticate({ token: (await openSession()).accessToken })
  expect((await registerTestDevice({ countersign }, caller)).device.trusted).toBe(false)
})
