import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startStopwatch } from '../../../tools/testing/stopwatch.ts'
import { openConnection, type RawConnection } from '../src/testing/raw-connection.ts'
import { type ServerProcess, startServerProcess } from '../src/testing/server-process.ts'

// The timeout is long, because real processes and password hashes are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const LONGEST_STOP = 10_000

let cwd: string
let server: ServerProcess
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'countersign-shutdown-'))
  server = await startServerProcess({ cwd, env: { COUNTERSIGN_RATE_LIMITS: 'off' } })
})
afterEach(async () => {
  server?.kill('SIGKILL')
  await server?.exited
  await rm(cwd, { recursive: true })
})

const post = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
const login = post('/api/v1/auth/login', JSON.stringify({ email: 'nobody@example.test', password: 'a wrong password' }))
const challenge = post('/api/v1/auth/mobile/challenge', JSON.stringify({ deviceFingerprint: 'none' }))
const health = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'

/** Returns the complete responses with their bodies. */
const answersIn = (received: string): readonly string[] => {
  const starts = [...received.matchAll(/HTTP\/1\.1 \d{3} /g)].map(({ index }) => index)
  const texts = starts.map((start, index) => received.slice(start, starts[index + 1]))
  return texts.filter((text) => {
    const head = text.indexOf('\r\n\r\n')
    const length = Number(/\r\ncontent-length: (\d+)\r\n/i.exec(text)?.[1])
    return head > 0 && Buffer.byteLength(text.slice(head + 4), 'latin1') === length
  })
}

interface Client {
  /** The requests of a client that waits for each response. */
  sent: number
  readonly connection: RawConnection
  readonly ended: Promise<string>
}

/** Sends sequential requests on one connection until the server closes it. */
const keepAsking = async (request: string): Promise<Client> => {
  const connection = await openConnection(server.url)
  const client: Client = { sent: 1, connection, ended: connection.closed() }
  // Only what is new is read. A client that reads everything again each time becomes so slow that its connection counts as idle.
  let unread = ''
  connection.socket.on('data', (chunk: Buffer) => {
    unread += chunk.toString('latin1')
    const [answer] = answersIn(unread)
    if (answer === undefined) return
    unread = unread.slice(answer.length)
    if (/connection: close/i.test(answer)) return
    client.sent += 1
    connection.write(request)
  })
  connection.write(request)
  return client
}

/** Sends SIGTERM. Resolves with the exit code and the duration in milliseconds. */
const stop = async (): Promise<{ readonly code: unknown; readonly took: number }> => {
  const time = startStopwatch()
  server.kill('SIGTERM')
  const code = await server.exited
  return { code, took: time() }
}

describe('SIGTERM with COUNTERSIGN_DRAIN_SECONDS', () => {
  const SECONDS = 2

  it('makes /health answer `draining` while requests are accepted, then closes the port', async () => {
    const own = await mkdtemp(join(tmpdir(), 'countersign-draining-'))
    const draining = await startServerProcess({
      cwd: own,
      env: { COUNTERSIGN_RATE_LIMITS: 'off', COUNTERSIGN_DRAIN_SECONDS: String(SECONDS) },
    })
    try {
      const healthOf = async (path: string) => {
        const response = await fetch(`${draining.url}${path}`)
        const { status } = (await response.json()) as { readonly status: string }
        return { code: response.status, status, connection: response.headers.get('connection') }
      }
      expect(await healthOf('/health')).toMatchObject({ code: 200, status: 'healthy', connection: 'keep-alive' })
      expect(await healthOf('/health/ready')).toMatchObject({ code: 200, status: 'ready' })
      const signalledAt = performance.now()
      draining.kill('SIGTERM')
      await expect.poll(() => healthOf('/health')).toEqual({ code: 503, status: 'draining', connection: 'close' })
      expect(await healthOf('/health/ready')).toMatchObject({ code: 503, status: 'draining' })
      expect(await healthOf('/health/live')).toMatchObject({ code: 200, status: 'live' })
      let answered = 0
      const failures: unknown[] = []
      while (failures.length === 0) {
        try {
          const response = await fetch(`${draining.url}/api/v1/auth/mobile/challenge`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: '{"deviceFingerprint":"none"}',
          })
          expect(response.status).toBe(200)
          answered += 1
        } catch (error) {
          failures.push(error)
        }
      }
      expect(performance.now() - signalledAt).toBeGreaterThan(SECONDS * 1000 - 100)
      // The system resets a connection that waited to be accepted when the port closed.
      expect(failures).toEqual([
        expect.objectContaining({ cause: expect.objectContaining({ code: expect.stringMatching(/^ECONN(REFUSED|RESET)$/) }) }),
      ])
      await expect(healthOf('/health')).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
      expect(answered).toBeGreaterThan(10)
      expect(await draining.exited).toBe(0)
      const events = draining.lines.map(({ event }) => event)
      expect(events.filter((event) => /^(draining|closing|closed)$/.test(String(event)))).toEqual([
        'draining',
        'closing',
        'closed',
      ])
    } finally {
      draining.kill('SIGKILL')
      await draining.exited
      await rm(own, { recursive: true })
    }
  })
})

it('the health check of HAProxy is answered, although it is HTTP/1.0 without Host', async () => {
  for (const path of ['/health', '/health/ready', '/health/live']) {
    const connection = await openConnection(server.url)
    connection.write(`GET ${path} HTTP/1.0\r\n\r\n`)
    expect(await connection.closed()).toMatch(/^HTTP\/1\.1 200 /)
  }
})

describe('SIGTERM', () => {
  it('under load answers every sent request, then ends the process with 0', async () => {
    // Five logins at once: on a slow machine, more would wait longer than the service lets a login wait for its hash.
    const requests = [login, ...Array<string>(4).fill(health), ...Array<string>(4).fill(challenge)]
    const clients = await Promise.all(Array.from({ length: 45 }, (_, index) => keepAsking(requests[index % 9] ?? health)))
    // Each client has sent requests.
    await Promise.all(clients.map(({ connection }) => connection.until('HTTP/1.1 ')))
    const { code, took } = await stop()
    for (const { ended, sent } of clients) {
      const answers = answersIn(await ended)
      expect(answers).toHaveLength(sent)
      // `/health` reports that the server is stopping.
      for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 (200|401) |^HTTP\/1\.1 503 [\s\S]*"status":"draining"/)
      expect(answers.at(-1)).toMatch(/\r\nconnection: close\r\n/i)
    }
    expect(clients.reduce((sum, { sent }) => sum + sent, 0)).toBeGreaterThan(clients.length * 2)
    expect(code).toBe(0)
    expect(took).toBeLessThan(LONGEST_STOP)
    expect(server.lines.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('is not delayed by slow clients or clients that do not read', async () => {
    const slow = ['GET /health HTTP/1.1\r\nHost: x\r\nX-A: ', login.slice(0, -5), login.slice(0, 10), '']
    const connections = await Promise.all([...slow, ...slow].map(() => openConnection(server.url)))
    for (const [index, connection] of connections.entries()) connection.write(slow[index % slow.length] ?? '')
    const drip = setInterval(() => {
      for (const { socket } of connections.slice(0, 2)) if (socket.writable) socket.write(' ')
    }, 200)
    const deaf = await Promise.all(Array.from({ length: 2 }, () => openConnection(server.url)))
    for (const { socket, write } of deaf) {
      socket.pause()
      write(health.repeat(8000))
    }
    try {
      expect((await fetch(`${server.url}/health`)).status).toBe(200)
      const { code, took } = await stop()
      expect(code).toBe(0)
      expect(took).toBeLessThan(LONGEST_STOP)
    } finally {
      clearInterval(drip)
      for (const { socket } of [...connections, ...deaf]) socket.destroy()
    }
  })

  it('is handled once when it is sent repeatedly', async () => {
    const client = await keepAsking(login)
    await client.connection.until('HTTP/1.1 ')
    const stopped = stop()
    server.kill('SIGTERM')
    server.kill('SIGINT')
    expect((await stopped).code).toBe(0)
    expect(answersIn(await client.ended)).toHaveLength(client.sent)
  })
})
