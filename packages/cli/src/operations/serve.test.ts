import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { createServer } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWorkplace, type Workplace } from '../testing/run-command.ts'
import { startServer } from '../testing/start-server.ts'

let here: Workplace
beforeEach(() => {
  here = createWorkplace()
})
afterEach(() => here.remove())

const logIn = (url: string): Promise<Response> =>
  fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', password: 'correct horse battery' }),
  })

const verify = (url: string, token: string): Promise<Response> =>
  fetch(`${url}/internal/verify`, { headers: { authorization: `Bearer ${token}`, 'x-service-name': 'billing' } })

test('serve migrates, answers requests, follows changes by other commands, and exits with 0 on SIGTERM', async () => {
  const server = await startServer(here)
  expect((await logIn(server.url)).status).toBe(401)

  const create = ['user', 'create', '--email', 'ada@example.com', '--password-stdin']
  await here.json(create, { stdin: 'correct horse battery\n' })
  const login = await logIn(server.url)
  expect(login.status).toBe(200)
  const { data } = (await login.json()) as { data: { accessToken: string } }
  expect((await verify(server.url, data.accessToken)).status).toBe(200)

  await here.json(['user', 'disable', 'ada@example.com'])
  expect((await verify(server.url, data.accessToken)).status).toBe(401)

  expect(await server.stop('SIGTERM')).toBe(0)
  for (const line of server.lines)
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), event: expect.any(String) })
})

test('serve exits with 0 on SIGINT too', async () => {
  const server = await startServer(here)
  expect(await server.stop('SIGINT')).toBe(0)
})

test('a port in use is reported on one line, with exit code 1', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  try {
    const { port } = other.address() as { port: number }
    const ran = await here.runProcess(['serve', '--port', String(port)])
    expect(ran).toMatchObject({
      code: 1,
      stderr: `error: 127.0.0.1:${port} cannot be listened on: another program uses the port (EADDRINUSE); set COUNTERSIGN_PORT to listen on another port\n`,
    })
  } finally {
    other.close()
  }
})

test.each([
  ['file', 'the database cannot be written', 'cannot be used', 'SQLITE_READONLY'],
  ['folder', 'the database <URL> cannot be opened', 'cannot be opened', 'SQLITE_READONLY_DIRECTORY'],
])('serve refuses a read-only %s, and doctor says why', async (place, refusal, finding, code) => {
  await here.json(['migrate'])
  const url = here.env.COUNTERSIGN_DATABASE_URL ?? ''
  if (place === 'file') chmodSync(url.slice('sqlite:'.length), 0o444)
  else chmodSync(here.directory, 0o555)
  const reason = `the file or its folder is read-only for this user (${code})`
  try {
    const options = { obeysModes: true, env: { COUNTERSIGN_PORT: '0' } }
    const stderr = `error: ${refusal.replace('<URL>', url)}: ${reason}\n`
    expect(await here.runProcess(['serve'], options)).toEqual({ code: 1, stdout: '', stderr })
    const { code: exit, stdout } = await here.runProcess(['doctor', '--json'], options)
    const rows: readonly { check: string }[] = JSON.parse(stdout)
    const detail = expect.stringContaining(`${finding}: ${reason}`)
    expect(rows.find(({ check }) => check === 'database')).toEqual({ check: 'database', status: 'failed', detail })
    expect(exit).toBe(1)
  } finally {
    chmodSync(here.directory, 0o755)
  }
})
