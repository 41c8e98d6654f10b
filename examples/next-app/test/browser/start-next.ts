import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { capture } from '../../../../tools/capture.ts'
import { freePort } from '../../../../tools/testing/free-port.ts'

const app = join(import.meta.dirname, '..', '..')
const next = createRequire(import.meta.url).resolve('next/dist/bin/next')
const clock = join(app, '..', '..', 'tools', 'testing', 'advance-clock.ts')
const common = { PATH: process.env.PATH, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as const

/** Builds the app, as its README says. */
export const buildNext = async (): Promise<void> => {
  const { ok, output } = await capture(process.execPath, [next, 'build', app], app, common)
  if (!ok) throw new Error(output)
}

export interface RunningNext {
  readonly url: string
  /** Advances the clock of the process to this time after its start. */
  advanceTo(milliseconds: number): Promise<void>
  stop(): Promise<void>
}

/** Starts the built app. Resolves when it answers. @throws Error with the exit code and all that the process said, if it ends */
export const startNext = async (settings: Readonly<Record<string, string>>): Promise<RunningNext> => {
  const port = String(await freePort())
  const child = spawn(process.execPath, ['--import', clock, next, 'start', app, '--port', port, '--hostname', '127.0.0.1'], {
    env: { ...common, ...settings },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let said = ''
  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        said += text
        if (said.includes('Ready in')) resolve()
      })
    }
  })
  const url = `http://localhost:${port}`
  const closed = once(child, 'close')
  const ended = closed.then(([code]) => Promise.reject(new Error(`Next ended with ${code}: ${said.replaceAll(/\s+/g, ' ')}`)))
  // Next says that it is ready before it calls `instrumentation.ts`, so the first answer counts.
  await Promise.race([ready.then(() => fetch(`${url}/terms`)).catch(() => ended), ended])
  ended.catch(() => {})
  return {
    url,
    advanceTo: async (milliseconds) => {
      const told = once(child, 'message')
      child.send(milliseconds)
      await told
    },
    stop: async () => {
      child.kill('SIGTERM')
      await closed
    },
  }
}
