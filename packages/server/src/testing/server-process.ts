import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { compileCache } from '../../../../tools/testing/compile-cache.ts'

type LogLine = Readonly<Record<string, unknown>>

/** A server that runs in a process of its own. */
export interface ServerProcess {
  readonly url: string
  readonly pid: number
  /** The lines that the server has logged so far. */
  readonly lines: readonly LogLine[]
  kill(signal: NodeJS.Signals): void
  /** Resolves with the exit code of the process, or with the signal that ended the process. */
  readonly exited: Promise<number | NodeJS.Signals | null>
}

export interface ServerProcessOptions {
  /** The working directory, in which the server makes `.countersign/`. */
  readonly cwd: string
  /** Variables for the server. The server listens on any free port unless a variable names one. */
  readonly env?: Readonly<Record<string, string>>
  /** A file to which the server writes the URL of each module that it loads. */
  readonly modulesFile?: string
}

/** The arguments of Node that record loaded modules. Only the sources have a file for each module, so the sources run. */
const recordModules = (file: string): readonly string[] => {
  const recorder = new URL('record-modules.ts', import.meta.url)
  recorder.searchParams.set('file', file)
  return ['--conditions=@countersign/source', '--import', recorder.href]
}

/**
 * Starts a built server, with real sockets, database and signals. `npm test` builds first; the built server starts in a third of
 * the time of the sources. Resolves once the server listens, and rejects with its error output if the server ends before. The
 * caller ends the server.
 */
export const startServerProcess = async ({ cwd, env = {}, modulesFile }: ServerProcessOptions): Promise<ServerProcess> => {
  const script = fileURLToPath(new URL('run-server.ts', import.meta.url))
  const recording = modulesFile === undefined ? [] : recordModules(modulesFile)
  const child = spawn(process.execPath, [...recording, script], {
    cwd,
    env: { ...compileCache, COUNTERSIGN_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: LogLine[] = []
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text
  })
  const exited = once(child, 'close').then(([code, signal]) => code ?? signal)
  const listening = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line: LogLine = JSON.parse(text)
      lines.push(line)
      if (line.event === 'listening') resolve(String(line.url))
    })
  })
  const ended = exited.then((code) => Promise.reject(new Error(`the server ended with ${code}: ${complaint.trim()}`)))
  const url = await Promise.race([listening, ended])
  // From now on the server may end without an error.
  ended.catch(() => {})
  return { url, pid: child.pid ?? 0, lines, exited, kill: (signal) => void child.kill(signal) }
}
