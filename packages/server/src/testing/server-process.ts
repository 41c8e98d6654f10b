import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

type LogLine = Readonly<Record<string, unknown>>

export interface ServerProcess {
  readonly url: string
  readonly pid: number
  /** What it has logged so far. */
  readonly lines: readonly LogLine[]
  kill(signal: NodeJS.Signals): void
  /** Resolves with its exit code, or the signal that ended it. */
  readonly exited: Promise<number | NodeJS.Signals | null>
}

export interface ServerProcessOptions {
  /** Where it runs: `.countersign/` is made there. */
  readonly cwd: string
  /** Added to the environment; it listens on any free port unless told otherwise. */
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Starts a server from the sources, with real sockets, database and signals. Resolves once it listens; rejects with what
 * it said where it ends before. Whoever starts it ends it.
 */
export const startServerProcess = async ({ cwd, env = {} }: ServerProcessOptions): Promise<ServerProcess> => {
  const script = fileURLToPath(new URL('run-server.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=@countersign/source', script], {
    cwd,
    env: { COUNTERSIGN_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: LogLine[] = []
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text
  })
  const exited = once(child, 'exit').then(([code, signal]) => code ?? signal)
  const listening = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line: LogLine = JSON.parse(text)
      lines.push(line)
      if (line.event === 'listening') resolve(String(line.url))
    })
  })
  const ended = exited.then((code) => Promise.reject(new Error(`the server ended with ${code}: ${complaint.trim()}`)))
  const url = await Promise.race([listening, ended])
  // From here on, ending is nothing unexpected.
  ended.catch(() => {})
  return { url, pid: child.pid ?? 0, lines, exited, kill: (signal) => void child.kill(signal) }
}
