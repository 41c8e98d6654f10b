import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { compileCache } from '../../../../tools/testing/compile-cache.ts'
import { BUILT_COMMAND, bounded, type Workplace } from './run-command.ts'

/** A running `countersign serve` that listens. */
export interface StartedServer {
  readonly url: string
  /** Sends the signal and resolves with the exit code; `null` if the signal itself ended the process. */
  stop(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null>
  /** All lines logged so far. */
  readonly lines: readonly string[]
}

/** Milliseconds after which a forgotten server is ended. One server serves a whole suite. */
const LONGEST_LIFE = 180_000

/**
 * Starts the built command of a workplace and waits until it listens. Throws its output if it ends before.
 *
 * @param nodeOptions Options of Node, before the file of the command.
 * @param port A free port by default.
 */
export const startServer = async (
  here: Pick<Workplace, 'directory' | 'env'>,
  nodeOptions: readonly string[] = [],
  port = 0,
): Promise<StartedServer> => {
  const args = [...nodeOptions, BUILT_COMMAND, 'serve', '--port', String(port)]
  const child = spawn(process.execPath, args, {
    cwd: here.directory,
    env: { ...compileCache, ...here.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...bounded,
    timeout: LONGEST_LIFE,
  })
  const exit = once(child, 'close') as Promise<[code: number | null]>
  const complaint = text(child.stderr)
  const lines: string[] = []
  const listening = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line)
      const { event, url }: { event?: unknown; url?: unknown } = JSON.parse(line)
      if (event === 'listening') resolve(String(url))
    })
  })
  const failed = exit.then(async ([code]) => {
    throw new Error(`countersign serve ended with ${code}: ${await complaint}`)
  })
  return {
    url: await Promise.race([listening, failed]),
    lines,
    stop: async (signal) => {
      child.kill(signal)
      const [code] = await exit
      return code
    },
  }
}
