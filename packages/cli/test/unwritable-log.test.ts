import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, createReadStream, openSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { compileCache } from '../../../tools/testing/compile-cache.ts'
import { freePort } from '../../../tools/testing/free-port.ts'
import { startStopwatch } from '../../../tools/testing/stopwatch.ts'
import { BUILT_COMMAND, createWorkplace, type Workplace } from '../src/testing/run-command.ts'

// Real processes are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

let here: Workplace
beforeEach(() => {
  here = createWorkplace()
})
afterEach(() => here.remove())

/** Starts the built command with its log at the given output, and waits until it serves. */
const startLoggingTo = async (output: number | 'pipe') => {
  const port = await freePort()
  const child = spawn(process.execPath, [BUILT_COMMAND, 'serve', '--port', String(port)], {
    cwd: here.directory,
    env: { ...compileCache, ...here.env },
    stdio: ['ignore', output, 'inherit'],
  })
  const exit = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exit
  })
  const statusOf = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ status }) => status,
      () => 0,
    )
  await expect.poll(() => statusOf('/health')).toBe(200)
  return {
    statusOf,
    /** Resolves with the exit code and the milliseconds until the process ended. */
    stop: async (signal: 'SIGTERM' | 'SIGINT') => {
      const time = startStopwatch()
      child.kill(signal)
      const [code] = await exit
      return { code, took: time() }
    },
  }
}

const endedInTime = { code: 0, took: expect.toSatisfy((took: number) => took < 10_000, 'less than ten seconds') }

describe.runIf(process.platform === 'linux')('a server whose log is on a full disk', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('answers requests, and exits with 0 on %s', async (signal) => {
    const full = openSync('/dev/full', 'w')
    onTestFinished(() => closeSync(full))
    const server = await startLoggingTo(full)
    expect(await server.statusOf('/nowhere')).toBe(404)
    // Long enough for several attempts to write the log.
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(await server.statusOf('/health')).toBe(200)
    expect(await server.stop(signal)).toEqual(endedInTime)
  })
})

describe.skipIf(process.platform === 'win32')('a server whose log', () => {
  it('without a reader does not stop the server, which exits with 0 on SIGTERM', async () => {
    const server = await startLoggingTo('pipe')
    // A pipe holds a few hundred kilobytes at most.
    for (let round = 0; round < 40; round += 1) {
      const statuses = await Promise.all(Array.from({ length: 50 }, () => server.statusOf('/nowhere')))
      expect(new Set(statuses)).toEqual(new Set([404]))
    }
    expect(await server.stop('SIGTERM')).toEqual(endedInTime)
  })

  it('with a reader again has every line', async () => {
    const path = join(here.directory, 'log')
    execFileSync('mkfifo', [path])
    const firstReader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const writer = openSync(path, constants.O_WRONLY)
    const server = await startLoggingTo(writer)
    closeSync(writer)
    closeSync(firstReader)
    expect(await server.statusOf('/nowhere')).toBe(404)
    await new Promise((resolve) => setTimeout(resolve, 300))

    const events: string[] = []
    createInterface({ input: createReadStream(path) }).on('line', (line) => events.push(JSON.parse(line).event))
    await expect.poll(() => events).toEqual(['migrated', 'listening', 'request'])
    expect(await server.statusOf('/nowhere')).toBe(404)
    expect(await server.stop('SIGTERM')).toEqual(endedInTime)
    await expect.poll(() => events).toEqual(['migrated', 'listening', 'request', 'request', 'closing', 'closed'])
  })
})
