import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { generateKeyRing, generateReceiptKeyRing, parseReceiptKeyRing, systemRandom } from '@countersign/core'
import {
  type CreationOptions,
  createVirtualPasskey,
  type RecordingLogger,
  type RequestOptions,
  recordingLogger,
} from '@countersign/core/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { demoUser, openCountersign } from './compose.ts'
import { type Environment, readConfig } from './config/read-config.ts'
import { readVersion } from './config/version.ts'
import { type RunningServer, serve } from './serve.ts'
import { openConnection } from './testing/raw-connection.ts'
import { startWebhookReceiver } from './testing/webhook-receiver.ts'

// Real processes, sockets and hashes are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const password = 'correct horse battery staple'
const production = { NODE_ENV: 'production', COUNTERSIGN_RECEIPTS: 'off' }
let root: string
let env: Environment
let logger: RecordingLogger
let server: RunningServer | undefined

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'countersign-serve-'))
  logger = recordingLogger()
  env = {
    COUNTERSIGN_DATABASE_URL: `sqlite:${join(root, 'countersign.db')}`,
    COUNTERSIGN_PORT: '0',
    // A production server would wait five seconds for its load balancer.
    COUNTERSIGN_DRAIN_SECONDS: '0',
    COUNTERSIGN_JWT_KEYS: generateKeyRing(systemRandom),
    COUNTERSIGN_ENCRYPTION_KEYS: generateKeyRing(systemRandom),
  }
})
afterEach(async () => {
  await server?.close()
  server = undefined
  await rm(root, { recursive: true })
})

const start = async (more: Environment = {}): Promise<RunningServer> => {
  server = await serve(readConfig({ ...env, ...more }), { logger, signals: false })
  return server
}

/** Adds a user while the server runs, as the command line does. */
const addUser = async (email: string): Promise<void> => {
  const opened = await openCountersign(readConfig(env), { logger })
  await opened.countersign.users.create({ email, password })
  await opened.close()
}

const post = (url: string, json: unknown, token?: string) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(json),
  })

const logIn = async (url: string): Promise<string> => {
  const response = await post(`${url}/api/v1/auth/login`, { email: 'ada@example.test', password })
  const { data } = (await response.json()) as { data: { accessToken: string } }
  return data.accessToken
}

describe('a starting server', () => {
  it('applies pending migrations, listens, and reports healthy', async () => {
    const { url } = await start()
    const response = await fetch(`${url}/health`)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ status: 'healthy', version: readVersion() })
    expect(logger.entries.slice(0, 2)).toEqual([
      { level: 'info', event: 'migrated', fields: { applied: expect.arrayContaining([expect.any(String)]) } },
      { level: 'info', event: 'listening', fields: { url } },
    ])
  })

  it('serves users that the command line adds', async () => {
    const { url } = await start()
    await addUser('ada@example.test')
    const response = await fetch(`${url}/api/v1/auth/devices`, { headers: { authorization: `Bearer ${await logIn(url)}` } })
    expect(await response.json()).toEqual({ data: { devices: [] } })
  })

  it('accepts passkeys from the pages of its own port, whatever the port', async () => {
    const { url } = await start()
    await addUser('ada@example.test')
    const token = await logIn(url)
    const passkeyAt = async <T>(path: string, json: unknown) => {
      const response = await post(`${url}/api/v1/auth/webauthn/${path}`, json, token)
      return ((await response.json()) as { data: T }).data
    }
    const { port } = new URL(url)
    const passkey = createVirtualPasskey({ origin: `http://localhost:${port}` })
    const begun = await passkeyAt<{ challengeId: string; publicKey: CreationOptions }>('register/begin', {})
    const credential = passkey.create(begun.publicKey)
    const { challengeId } = begun
    expect(await passkeyAt('register/finish', { challengeId, credential })).toMatchObject({ success: true })
    const asked = await passkeyAt<{ challengeId: string; publicKey: RequestOptions }>('login/begin', {})
    const answered = { challengeId: asked.challengeId, credential: passkey.get(asked.publicKey) }
    expect(await passkeyAt('login/finish', answered)).toMatchObject({ accessToken: expect.any(String) })
  })

  it('accepts a path only in its exact spelling', async () => {
    const { url } = await start()
    for (const target of ['/./health', '/x/../health', '/x/%2e%2e/health', '//health', '/health/.', '/%68ealth', '/health/']) {
      const connection = await openConnection(url)
      connection.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      expect(await connection.closed()).toMatch(/^HTTP\/1\.1 404 /)
    }
    const absolute = await openConnection(url)
    absolute.write(`GET ${url}/health?x={y} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    expect(await absolute.closed()).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('sees the peer address of a connection', async () => {
    const { url } = await start({ COUNTERSIGN_TRUST_PROXY: '1' })
    const attempt = (client: string) =>
      fetch(`${url}/api/v1/auth/mobile/biometric`, { method: 'POST', headers: { 'x-forwarded-for': client } })
    for (let request = 0; request < 20; request += 1) expect((await attempt('198.51.100.1')).status).toBe(400)
    expect((await attempt('198.51.100.1')).status).toBe(429)
    expect((await attempt('198.51.100.2')).status).toBe(400)
    expect((await attempt('nonsense')).status).toBe(400)
  })
})

describe('the demo user', () => {
  const logInAs = async (url: string, given: { readonly email: string; readonly password: string }) => {
    const response = await post(`${url}/api/v1/auth/login`, given)
    return { status: response.status, body: await response.json() }
  }

  it('can log in during development; in production, the login gets the same answer as a wrong password', async () => {
    const { email } = demoUser
    const trial = await start()
    const opened = await openCountersign(readConfig(env), { logger })
    await opened.countersign.users.create(demoUser)
    await opened.close()
    expect(await logInAs(trial.url, demoUser)).toMatchObject({ status: 200 })
    await server?.close()

    const { url } = await start(production)
    const refused = await logInAs(url, demoUser)
    expect(refused).toEqual({
      status: 401,
      body: { message: 'Invalid email or password', statusCode: 401, code: 'invalid_credentials' },
    })
    expect(await logInAs(url, { email, password: 'a wrong password' })).toEqual(refused)
    expect(await logInAs(url, { email: 'nobody@example.test', password })).toEqual(refused)
    await addUser('ada@example.test')
    expect(await logInAs(url, { email: 'ada@example.test', password })).toMatchObject({ status: 200 })
  })
})

describe('an environment that says too little', () => {
  const lines = () => logger.entries.filter(({ level }) => level === 'warn').map(({ event, fields }) => [event, fields])

  it('prevents a server from starting on another address than loopback', async () => {
    const open = serve(readConfig(env), { logger, signals: false, host: '0.0.0.0' })
    await expect(open).rejects.toMatchObject({
      lines: [expect.stringMatching(/^NODE_ENV: is not set; must be one of production, /)],
    })
  })

  it('is logged as a warning by a server on the loopback address', async () => {
    await start({ NODE_ENV: 'production\r' })
    expect(lines()).toEqual([['node_env_unknown', { known: ['production', 'development', 'test'] }]])
  })

  it('names the ignored PORT of a platform, unless an option gives the port', async () => {
    const ofPlatform = { PORT: '8080', COUNTERSIGN_PORT: '' }
    server = await serve(readConfig({ ...env, ...ofPlatform }), { logger, signals: false, port: 0 })
    expect(lines()).toEqual([])
    await server.close()
    server = await serve({ ...readConfig({ ...env, ...ofPlatform }), port: 0 }, { logger, signals: false })
    expect(lines()).toEqual([['port_ignored', { set: 'PORT', read: 'COUNTERSIGN_PORT' }]])
  })
})

describe('a retention of approvals that is shorter than the service keeps them', () => {
  it('is reported at start with the time for which they are kept', async () => {
    await start({ COUNTERSIGN_RETENTION_APPROVALS_DAYS: '1' })
    const [warned, ...others] = logger.entries.filter(({ level }) => level === 'warn')
    expect(others).toEqual([])
    expect(warned).toMatchObject({
      event: 'retention_too_short',
      fields: { variable: 'COUNTERSIGN_RETENTION_APPROVALS_DAYS', why: 'approvals are kept for at least 7 days' },
    })
  })
})

describe('unknown environment variables', () => {
  it('are reported at start with the closest name and without values', async () => {
    await start({ COUNTERSIGN_RATE_LIMIT: 'canary', COUNTERSIGN_SERVICE_HOST: '10.0.0.1' })
    expect(logger.entries.filter(({ level }) => level === 'warn')).toEqual([
      {
        level: 'warn',
        event: 'unknown_variable',
        fields: { name: 'COUNTERSIGN_RATE_LIMIT', nearest: 'COUNTERSIGN_RATE_LIMITS' },
      },
    ])
  })
})

describe('receipt keys', () => {
  const publishedKeys = async (url: string) => {
    const answer = await fetch(`${url}/.well-known/countersign/receipt-keys`)
    expect(answer.headers.get('content-type')).toBe('application/jwk-set+json')
    return ((await answer.json()) as { readonly keys: readonly { readonly kid: string }[] }).keys
  }

  it('are published when the server starts, and stay published without their private halves', async () => {
    const [older, newer] = [generateReceiptKeyRing(), generateReceiptKeyRing('ES256')]
    await start({ COUNTERSIGN_RECEIPT_KEYS: `${older},${newer}` })
    await server?.close()
    const keys = await publishedKeys((await start()).url)
    const kids = [older, newer].flatMap((ring) => parseReceiptKeyRing(ring).keys.map(({ kid }) => kid))
    expect(new Set(keys.map(({ kid }) => kid))).toEqual(new Set(kids))
    for (const key of keys) expect(key).not.toHaveProperty('d')
  })

  it('are required by a production server, which starts with a warning if receipts are off', async () => {
    const warnings = () => logger.entries.filter(({ level }) => level === 'warn').map(({ event }) => event)
    await expect(start({ NODE_ENV: 'production' })).rejects.toThrow(/^COUNTERSIGN_RECEIPT_KEYS: must be set in production; /)
    const receiptKeys = {
      COUNTERSIGN_RECEIPT_KEYS: generateReceiptKeyRing(),
      COUNTERSIGN_RECEIPT_ISSUER: 'https://auth.example.com',
    }
    const { url } = await start({ ...production, ...receiptKeys })
    expect(await publishedKeys(url)).toEqual([])
    expect(warnings()).toEqual(['receipts_not_configured'])
    await server?.close()
    await start({ NODE_ENV: 'production', COUNTERSIGN_PARTS: 'projects' })
    expect(warnings()).toHaveLength(1)
  })
})

describe('the page at /playground', () => {
  it('is served in development, with the demo user when there is one', async () => {
    const { url } = await start()
    expect((await fetch(`${url}/playground`)).status).toBe(200)
    const begin = await (await fetch(url)).text()
    for (const page of ['playground', 'approve/', 'docs']) expect(begin).toContain(`<a href="${page}">`)
    const settings = await fetch(`${url}/playground/settings.json`)
    const { port } = new URL(url)
    expect(await settings.json()).toEqual({ origins: [`http://localhost:${port}`], demoUser: null })
    await server?.close()
    const demoUser = { email: 'demo@example.test', password: 'known to everybody' }
    server = await serve(readConfig(env), { logger, signals: false, demoUser })
    const told = await fetch(`${server.url}/playground/settings.json`)
    expect(await told.json()).toMatchObject({ demoUser })
    expect(await (await fetch(`${server.url}/approve/settings.json`)).json()).toMatchObject({ demoUser })
  })

  it('is not served in production, and its code is not loaded', async () => {
    const loaded = vi.fn()
    vi.resetModules()
    vi.doMock('./playground.ts', () => loaded())
    const fresh = await import('./serve.ts')
    const demoUser = { email: 'demo@example.test', password: 'known to everybody' }
    server = await fresh.serve(readConfig({ ...env, ...production }), { logger, signals: false, demoUser })
    vi.doUnmock('./playground.ts')
    for (const path of ['/', '/playground', '/playground/playground.js', '/playground/settings.json']) {
      const response = await fetch(server.url + path)
      expect([response.status, await response.json()]).toEqual([
        404,
        { message: 'Not found', statusCode: 404, code: 'route_not_found' },
      ])
    }
    expect(loaded).not.toHaveBeenCalled()
  })
})

describe('the page at /approve/', () => {
  it('is served outside production, and in production only if it is on', async () => {
    const inProduction = { ...env, ...production }
    const statuses: number[] = []
    for (const given of [
      env,
      { ...env, COUNTERSIGN_APPROVER: 'off' },
      inProduction,
      { ...inProduction, COUNTERSIGN_APPROVER: 'on' },
    ]) {
      const { url } = await start(given)
      statuses.push((await fetch(`${url}/approve/`)).status)
      await server?.close()
    }
    expect(statuses).toEqual([200, 404, 404, 200])
  })
})

describe('the page at /docs', () => {
  it('is off in production by default, while the OpenAPI document is always served', async () => {
    const statuses = async (): Promise<readonly number[]> => {
      const answers = await Promise.all(['/docs', '/openapi.json'].map((path) => fetch(`${server?.url}${path}`)))
      return answers.map(({ status }) => status)
    }
    const inProduction = { ...env, ...production }
    const expected = [
      [env, [200, 200]],
      [{ ...env, COUNTERSIGN_DOCS: 'off' }, [404, 200]],
      [inProduction, [404, 200]],
      [{ ...inProduction, COUNTERSIGN_DOCS: 'on' }, [200, 200]],
    ] as const
    for (const [environment, answered] of expected) {
      server = await serve(readConfig(environment), { logger, signals: false })
      expect(await statuses()).toEqual(answered)
      await server.close()
    }
  })
})

describe('a server that cannot start', () => {
  it('reports why in one line and leaves nothing open', async () => {
    const { url } = await start()
    const { port } = new URL(url)
    const second = serve(readConfig({ ...env, COUNTERSIGN_PORT: port }), { logger, signals: false })
    await expect(second).rejects.toMatchObject({
      name: 'StartupError',
      lines: [
        `127.0.0.1:${port} cannot be listened on: another program uses the port (EADDRINUSE); set COUNTERSIGN_PORT to listen on another port`,
      ],
    })
    expect((await fetch(`${url}/health`)).status).toBe(200)
  })

  it('reports in one line that its database cannot be opened', async () => {
    await expect(start({ COUNTERSIGN_DATABASE_URL: `sqlite:${root}` })).rejects.toMatchObject({
      name: 'StartupError',
      lines: [expect.stringMatching(`^the database sqlite:${root} cannot be opened: .+ \\(\\w+\\)$`)],
    })
  })

  it('reports in one line that its database is of a version before the first release', async () => {
    const file = new DatabaseSync(join(root, 'countersign.db'))
    file.exec(`create table countersign_kysely_migration (name text);
      insert into countersign_kysely_migration values ('0001-identity'), ('0002-approvals')`)
    file.close()
    await expect(start()).rejects.toMatchObject({
      name: 'StartupError',
      lines: [expect.stringMatching(/could not be migrated: it was made before the first release by another version: /)],
    })
  })
})

describe('a closing server', () => {
  it('answers the running request and then accepts no more', async () => {
    const { url, close, closed } = await start()
    await addUser('ada@example.test')
    const body = JSON.stringify({ email: 'ada@example.test', password })
    const connection = await openConnection(url)
    const head = `POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
    connection.write(head + body.slice(0, 10))
    // The second response shows that the first request has arrived.
    await fetch(`${url}/health`)
    const closing = close()
    connection.write(body.slice(10))
    const text = await connection.closed()
    expect(text).toMatch(/^HTTP\/1\.1 200 /)
    expect(text.toLowerCase()).toContain('connection: close')
    await Promise.all([closing, closed, close()])
    await expect(fetch(`${url}/health`)).rejects.toThrow()
    expect(logger.entries.at(-1)).toMatchObject({ event: 'closed' })
  })

  it('finishes the background work of its responses', async () => {
    const receiver = await startWebhookReceiver()
    const { url, close } = await start({
      COUNTERSIGN_PUSH: 'webhook',
      COUNTERSIGN_PUSH_WEBHOOK_URL: receiver.url,
      COUNTERSIGN_PUSH_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 3).toString('base64')}`,
    })
    try {
      await addUser('ada@example.test')
      const token = await logIn(url)
      await registerDeviceWithPushToken(url, token)
      const actionPayload = { amount: 1, currency: 'EUR', recipient: 'A' }
      const initiated = await post(
        `${url}/api/v1/auth/confirmation/initiate`,
        { actionType: 'payment_approval', actionPayload },
        token,
      )
      expect(initiated.status).toBe(200)
      await close()
      expect(receiver.received).toHaveLength(1)
    } finally {
      await receiver.close()
    }
  })
})

const registerDeviceWithPushToken = async (url: string, token: string): Promise<void> => {
  const { anAnnouncement, createTestDevice } = await import('@countersign/core/testing')
  const signer = createTestDevice('ES256')
  const dataOf = async <T>(response: Response): Promise<T> => ((await response.json()) as { data: T }).data
  const registration = `${url}/api/v1/auth/devices/register`
  const begun = await dataOf<{ challenge: string; sessionId: string; deviceId: string }>(
    await post(`${registration}/challenge`, anAnnouncement(signer), token),
  )
  await post(`${registration}/verify`, { sessionId: begun.sessionId, signedChallenge: signer.sign(begun.challenge) }, token)
  const response = await fetch(`${url}/api/v1/auth/devices/push-token`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ deviceId: begun.deviceId, pushToken: 'push-1' }),
  })
  expect(response.status).toBe(200)
}

describe('metrics', () => {
  const metricsUrl = () => String(logger.entries.find(({ event }) => event === 'metrics_listening')?.fields.url)

  it('are not served by default, and never on the main port', async () => {
    const { url } = await start()
    expect((await fetch(`${url}/metrics`)).status).toBe(404)
    expect(logger.entries.some(({ event }) => event === 'metrics_listening')).toBe(false)
  })

  it('are served on a port of their own, until the server is closed', async () => {
    const { url, close } = await start({ COUNTERSIGN_METRICS_PORT: '0', COUNTERSIGN_PUSH: 'log' })
    await addUser('ada@example.test')
    await post(`${url}/api/v1/auth/login`, { email: 'ada@example.test', password })
    expect((await fetch(`${url}/metrics`)).status).toBe(404)
    const text = await (await fetch(metricsUrl())).text()
    expect(text).toContain('countersign_requests_total{operation="auth.login",status="200"} 1\n')
    expect(text).toContain('countersign_healthy{service="database"} 1\n')
    expect(text).toMatch(/^countersign_statement_duration_seconds_count [1-9]/m)
    await close()
    await expect(fetch(metricsUrl())).rejects.toThrow()
  })

  it('prevent the start if their port is in use, and nothing stays open', async () => {
    const { url } = await start()
    const port = new URL(url).port
    await expect(serve(readConfig({ ...env, COUNTERSIGN_METRICS_PORT: port }), { logger, signals: false })).rejects.toThrow(
      `127.0.0.1:${port} cannot be listened on: another program uses the port`,
    )
  })
})
