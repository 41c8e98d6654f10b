import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../testing/free-port.ts'
import { repository } from '../workspace.ts'

const isThere = spawnSync('haproxy', ['-v']).error === undefined
if (!isThere) console.warn('deploy/haproxy: NOT RUN, this machine has no haproxy (Debian: apt-get install haproxy)')

/** Returns the configuration of `deploy/haproxy` for one server, with other addresses. */
const haproxyConfig = (port: number, server: number): string => {
  const text = readFileSync(join(repository, 'deploy', 'haproxy', 'haproxy.cfg'), 'utf8')
  const [before = ''] = text.split(/^ {2}server /m)
  return `${before.replace('bind :4000', `bind 127.0.0.1:${port}`)}  server server0 127.0.0.1:${server}\n`
}

const startServer = async (): Promise<{ readonly port: number; readonly seen: string[] }> => {
  const seen: string[] = []
  const server = createServer(({ url = '', headers }, response) => {
    if (url !== '/health') seen.push(`${url} ${String(headers['x-forwarded-for'])}`)
    response.end()
  })
  server.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, seen }
}

it.runIf(isThere)('HAProxy forwards public paths with the address of the client, and nothing of /internal', async () => {
  const { port: serverPort, seen } = await startServer()
  const port = await freePort()
  const directory = mkdtempSync(join(tmpdir(), 'countersign-haproxy-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'haproxy.cfg')
  writeFileSync(file, haproxyConfig(port, serverPort))
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const statusOf = (path: string): Promise<number> =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ status }) => status,
      () => 0,
    )
  await expect.poll(() => statusOf('/api')).toBe(200)
  const hidden = ['/internal', '/internal/verify', '/INTERNAL/verify', '/%69nternal/verify', '/internal%2Fverify']
  expect(await Promise.all(hidden.map(statusOf))).toEqual(hidden.map(() => 404))
  expect(new Set(seen)).toEqual(new Set(['/api 127.0.0.1']))
})
