import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { freePort } from './free-port.ts'

export const haproxyIsThere = spawnSync('haproxy', ['-v']).error === undefined
if (!haproxyIsThere) console.warn('deploy/haproxy: NOT RUN, this machine has no haproxy (Debian: apt-get install haproxy)')

const CONFIG = join(import.meta.dirname, '..', '..', 'deploy', 'haproxy', 'haproxy.cfg')

/** Returns the configuration of `deploy/haproxy` with other addresses. */
const haproxyConfig = (ports: Readonly<Record<number, number>>, servers: readonly number[], interval: string): string => {
  const lines = servers.map((port, index) => `  server server${index} 127.0.0.1:${port}\n`).join('')
  return (
    readFileSync(CONFIG, 'utf8')
      // A check on a busy machine may take longer than the interval.
      .replace('timeout connect 2s', 'timeout connect 2s\n  timeout check 10s')
      .replace('check inter 1s', `check inter ${interval}`)
      .replaceAll(/bind :(\d+)$/gm, (_, port: string) => `bind 127.0.0.1:${ports[Number(port)]}`)
      .replaceAll(/^ {2}server one .*\n/gm, lines)
      .replaceAll(/^ {2}server two .*\n/gm, '')
  )
}

/**
 * Starts HAProxy with the configuration of `deploy/haproxy` in front of servers, until the test ends. Returns the addresses of its
 * frontend for the world, and of its frontend for services.
 *
 * @param servers The ports of the servers.
 * @param interval The time between two checks of a server.
 */
export const startHaproxy = async (servers: readonly number[], interval = '1s') => {
  const [outside, inside] = [await freePort(), await freePort()]
  const directory = mkdtempSync(join(tmpdir(), 'countersign-haproxy-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'haproxy.cfg')
  writeFileSync(file, haproxyConfig({ 4000: outside, 4001: inside }, servers, interval))
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { outside: `http://127.0.0.1:${outside}`, inside: `http://127.0.0.1:${inside}` } as const
}
