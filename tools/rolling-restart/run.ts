import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { buildIfNeeded } from '../build/build.ts'
import { freePort } from '../testing/free-port.ts'
import { sendLoad } from './load.ts'
import { proxies } from './proxies.ts'
import { startServers } from './servers.ts'

const options = {
  requests: { type: 'string', default: '12000' },
  rate: { type: 'string', default: '300' },
  drain: { type: 'string', default: '5' },
  pause: { type: 'string', default: '1500' },
  'keep-alive': { type: 'boolean', default: false },
} as const

const usage = `Usage: node tools/run.mjs rolling-restart haproxy|nginx [--requests N] [--rate PER_SECOND] [--drain SECONDS]
  [--pause MILLISECONDS] [--keep-alive]`

/**
 * `node tools/run.mjs rolling-restart haproxy`: restarts three servers behind a proxy, one after the other, while requests
 * come in at a fixed rate. Prints the outcomes. Resolves with 0 if every request was answered with 200.
 */
export const run = async (args: readonly string[]): Promise<number> => {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  const [name = ''] = positionals
  if (!(name in proxies)) {
    console.error(usage)
    return 2
  }
  if (!(await buildIfNeeded())) return 1
  const requests = Number(values.requests)
  const directory = mkdtempSync(join(tmpdir(), 'countersign-rolling-restart-'))
  const servers = await startServers(directory, 3, Number(values.drain))
  const port = await freePort()
  const proxy = proxies[name as keyof typeof proxies](directory, port, servers.ports)
  try {
    await once(proxy, 'spawn')
    // The proxy checks each server first.
    await sleep(2500)
    let isLoading = true
    const { token } = servers
    const begin = performance.now()
    const load = sendLoad({ port, token, requests, rate: Number(values.rate), keepAlive: values['keep-alive'] })
    const ended = load.finally(() => {
      isLoading = false
    })
    let restarts = 0
    while (isLoading) {
      await servers.restart(restarts % servers.ports.length)
      if (isLoading) restarts += 1
      await sleep(Number(values.pause))
    }
    const outcomes = Object.fromEntries(await ended)
    const seconds = Math.round((performance.now() - begin) / 1000)
    console.log(JSON.stringify({ proxy: name, ...values, restarts, seconds, outcomes }))
    return outcomes['200'] === requests ? 0 : 1
  } finally {
    servers.kill()
    // Workers of nginx would outlive a SIGKILL of their master.
    proxy.kill('SIGTERM')
    if (proxy.exitCode === null && proxy.signalCode === null) await once(proxy, 'exit')
    rmSync(directory, { recursive: true, force: true })
  }
}
