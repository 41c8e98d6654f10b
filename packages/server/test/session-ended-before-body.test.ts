import { type OperationName, operations } from '@countersign/contract'
import type { Countersign } from '@countersign/core'
import { testPassword } from '@countersign/core/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { startAdapter } from '../src/testing/adapters.ts'
import { createPasskey } from '../src/testing/passkeys.ts'
import { createProjectApp, type ProjectApp } from '../src/testing/project-app.ts'
import { openConnection } from '../src/testing/raw-connection.ts'
import { announceDevice, aPayment } from '../src/testing/sign-in.ts'

/** The session ends after the server has read the headers of a request, and before the body arrives. */

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

type Body = Readonly<Record<string, unknown>>

/** Sends the headers of an operation, runs a function once the caller is authenticated, and then sends the body. */
type SendSlowly = (test: ProjectApp, name: OperationName, body: Body, meanwhile: () => Promise<unknown>) => Promise<number>

const throughApp =
  (withLength: boolean): SendSlowly =>
  async (test, name, body, meanwhile) => {
    const bytes = new TextEncoder().encode(JSON.stringify(body))
    // The body is read only after the caller was authenticated.
    const stream = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          await meanwhile()
          controller.enqueue(bytes)
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    const headers = { 'content-type': 'application/json', ...(withLength && { 'content-length': String(bytes.byteLength) }) }
    const { method, path } = operations[name]
    return (await test.send(method, path, { token: test.token, headers, body: stream })).status
  }

/** Resolves when a caller is authenticated for the first time. */
const watched = (countersign: Countersign) => {
  let tell = () => {}
  const authenticated = new Promise<void>((resolve) => {
    tell = resolve
  })
  const authenticate: Countersign['auth']['authenticate'] = async (input) => {
    const caller = await countersign.auth.authenticate(input)
    tell()
    return caller
  }
  return { authenticated, countersign: { ...countersign, auth: { ...countersign.auth, authenticate } } }
}

const throughServer =
  (adapter: 'node' | 'hono'): SendSlowly =>
  async (test, name, body, meanwhile) => {
    const { authenticated, countersign } = watched(test.countersign)
    const { listening } = await startAdapter({ countersign }, adapter)
    closing.push(() => listening.close(0))
    const json = JSON.stringify(body)
    const { method, path } = operations[name]
    const connection = await openConnection(listening.url)
    const head = [
      `${method} ${path} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${test.token}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(json)}`,
      'Connection: close',
    ]
    connection.write(`${head.join('\r\n')}\r\n\r\n${json.slice(0, 1)}`)
    await authenticated
    await meanwhile()
    connection.write(json.slice(1))
    return Number((await connection.closed()).slice('HTTP/1.1 '.length).slice(0, 3))
  }

const ways: Readonly<Record<string, SendSlowly>> = {
  'the app': throughApp(false),
  'the app, with a declared length': throughApp(true),
  'a server on the Node adapter': throughServer('node'),
  'a server on the Hono adapter': throughServer('hono'),
}

const endings: Readonly<Record<string, (test: ProjectApp) => Promise<unknown>>> = {
  'a logout': ({ token, tokens, ask }) => ask('auth.logout', { refreshToken: tokens.refreshToken }, { token }),
  'a disabling': ({ countersign, user }) => countersign.users.disable({ email: user.email }),
  'a new password': ({ countersign, user }) =>
    countersign.users.setPassword({ email: user.email, password: `${testPassword} again` }),
}

/** Requests that store something, with a function that counts the stored rows. */
const requests: Readonly<
  Record<string, (test: ProjectApp) => Promise<{ name: OperationName; body: Body; count: () => Promise<number> }>>
> = {
  'a project': async (test) => ({
    name: 'projects.create',
    body: test.body(),
    count: async () => (await test.countersign.projects.list({ caller: 'admin' })).total,
  }),
  'a confirmation': async (test) => ({
    name: 'confirmations.initiate',
    body: { actionType: 'payment_approval', actionPayload: aPayment },
    count: async () => (await test.storage.confirmations.pendingOfUser(test.user.id, test.clock.now())).length,
  }),
  'a device': async (test) => ({
    name: 'devices.finishRegistration',
    body: (await announceDevice(test, test.token)).registration,
    count: async () => (await test.storage.devices.allOfUser(test.user.id)).length,
  }),
  'a passkey': async (test) => ({
    name: 'passkeys.finishRegistration',
    body: { ...(await createPasskey(test, test.token)) },
    count: async () => (await test.storage.passkeys.allOfUser(test.user.id)).length,
  }),
}

describe.each(Object.entries(ways))('a slow body sent by %s', (_, sendSlowly) => {
  describe.each(Object.entries(requests))('to create %s', (_what, request) => {
    it('succeeds if nothing else happens meanwhile', async () => {
      const test = await createProjectApp({ options: { rateLimits: 'off' } })
      const { name, body, count } = await request(test)
      expect(await sendSlowly(test, name, body, async () => {})).toBe(operations[name].success)
      expect(await count()).toBe(1)
    })

    it.each(Object.entries(endings))('is refused without effect after %s', async (_how, end) => {
      const test = await createProjectApp({ options: { rateLimits: 'off' } })
      const { name, body, count } = await request(test)
      expect(await sendSlowly(test, name, body, () => end(test))).toBe(401)
      expect(await count()).toBe(0)
    })
  })

  it('is checked against the permissions that the caller has when the body is complete', async () => {
    const test = await createProjectApp()
    const withdraw = () => test.countersign.users.revoke({ email: test.user.email, permissions: ['project.*'] })
    expect(await sendSlowly(test, 'projects.create', test.body(), withdraw)).toBe(403)
  })
})
