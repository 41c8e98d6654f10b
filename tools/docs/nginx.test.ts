import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestUser, testPassword } from '@countersign/core/testing'
import { afterAll, expect, test } from 'vitest'
import { startRealServer } from '../../packages/server/src/testing/real-server.ts'
import { createTestApp } from '../../packages/server/src/testing/test-app.ts'
import { freePort } from '../testing/free-port.ts'
import { blocksOfTest } from './blocks-of-test.ts'
import { isInstalled } from './read-block.ts'

const [{ at, text }] = blocksOfTest(import.meta.filename)
const isThere = isInstalled('nginx')
if (!isThere) console.warn(`${at}: NOT RUN, this machine has no nginx (Debian: apt-get install nginx-light)`)

const directory = mkdtempSync(join(tmpdir(), 'countersign-docs-nginx-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${directory}/${name};`)

/** Returns the nginx configuration around the locations of the page, for one process in the foreground. */
const around = (locations: string, port: number): string => `
  daemon off; master_process off; pid ${directory}/pid; error_log stderr;
  events {}
  http { access_log off; ${temporary.join(' ')} server { listen 127.0.0.1:${port}; ${locations} } }`

const startNginx = async (locations: string) => {
  const port = await freePort()
  const file = join(directory, 'nginx.conf')
  writeFileSync(file, around(locations, port))
  const child = spawn('nginx', ['-p', directory, '-e', 'stderr', '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk
  })
  const url = `http://127.0.0.1:${port}`
  const isUp = () =>
    fetch(url).then(
      () => true,
      () => false,
    )
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(said)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const stop = async (): Promise<void> => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  return { url, stop }
}

const startService = async () => {
  const server = createServer((request, response) => response.end(`the service at ${request.url}`))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() }
}

test.runIf(isThere)(`${at} accepts a request with a valid token, and none while Countersign is away`, async () => {
  const given = createTestApp()
  const countersign = await startRealServer(given)
  const service = await startService()
  const written = text.replaceAll('127.0.0.1:4000', new URL(countersign.url).host).replaceAll('127.0.0.1:5000', service.address)
  const nginx = await startNginx(written)
  try {
    const { email } = await createTestUser(given)
    const { accessToken } = await given.ask('auth.login', { email, password: testPassword })
    const ask = (token?: string) =>
      fetch(`${nginx.url}/api/invoices`, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } })
    expect((await ask()).status).toBe(401)
    expect((await ask('a token')).status).toBe(401)
    const good = await ask(accessToken)
    expect(await good.text()).toBe('the service at /invoices')
    expect((await fetch(`${nginx.url}/_countersign`)).status).toBe(404)
    await countersign.close(100)
    expect((await ask(accessToken)).status).toBe(500)
  } finally {
    await nginx.stop()
    service.stop()
    await countersign.close(100)
  }
})
