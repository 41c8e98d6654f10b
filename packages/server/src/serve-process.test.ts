import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startStopwatch } from '../../../tools/testing/stopwatch.ts'
import { openConnection } from './testing/raw-connection.ts'
import { type ServerProcess, startServerProcess } from './testing/server-process.ts'

// Real processes are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let cwd: string
const running: ServerProcess[] = []

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'countersign-process-'))
})
afterEach(async () => {
  for (const { kill } of running) kill('SIGKILL')
  await Promise.all(running.splice(0).map(({ exited }) => exited))
  await rm(cwd, { recursive: true })
})

const start = async (env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> => {
  const started = await startServerProcess({ cwd, env })
  running.push(started)
  return started
}

it.each(['SIGTERM', 'SIGINT'] as const)('%s lets a running request finish, then the process ends with 0', async (signal) => {
  const server = await start()
  const body = JSON.stringify({ email: 'nobody@example.test', password: 'wrong password' })
  const connection = await openConnection(server.url)
  const head = `POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  connection.write(head + body.slice(0, 10))
  await fetch(`${server.url}/health`)
  const time = startStopwatch()
  server.kill(signal)
  await expect.poll(() => server.lines.some(({ event }) => event === 'closing')).toBe(true)
  connection.write(body.slice(10))
  expect(await connection.closed()).toMatch(/^HTTP\/1\.1 401 /)
  expect(await server.exited).toBe(0)
  expect(time()).toBeLessThan(10_000)
  expect(server.lines.map(({ event }) => event)).toEqual([
    'migrated',
    'receipt_key_published',
    'listening',
    'closing',
    'login_refused',
    'request',
    'closed',
  ])
})

it('two processes that start together on a fresh machine share one database and one set of secrets', async () => {
  const servers = await Promise.all([start(), start()])
  const secrets = await readFile(join(cwd, '.countersign', 'secrets.env'), 'utf8')
  expect(secrets.match(/^COUNTERSIGN_JWT_KEYS=/gm)).toHaveLength(1)
  for (const { url } of servers) expect((await fetch(`${url}/health`)).status).toBe(200)
  expect(servers.flatMap(({ lines }) => lines).filter(({ event }) => event === 'migrated')).toHaveLength(1)
})

it('a process that cannot start ends with 1 and one line per reason', async () => {
  const started = startServerProcess({ cwd, env: { COUNTERSIGN_PORT: 'x', COUNTERSIGN_LOG_LEVEL: 'y' } })
  await expect(started).rejects.toThrow(
    /^the server ended with 1: COUNTERSIGN_PORT: must be a whole number .*\nCOUNTERSIGN_LOG_LEVEL: must be one of .*$/,
  )
})
