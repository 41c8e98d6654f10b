import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Stage } from './stage.ts'

/** The server that the reader of a page runs in a first terminal. */
export interface Server {
  readonly stop: () => Promise<void>
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

const isWell = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/health`)).ok
  } catch {
    return false
  }
}

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.pid === undefined || hasEnded(child)) return
  const ended = once(child, 'exit')
  // Ends the process group: npm and the programs that it runs.
  process.kill(-child.pid, 'SIGTERM')
  await ended
}

/**
 * Runs `npm start` on the stage until it is stopped. Resolves when the server is healthy. Rejects with its output if it
 * ends before.
 */
export const startServer = async (stage: Stage): Promise<Server> => {
  const child = spawn('npm', ['start'], {
    cwd: stage.directory,
    env: stage.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Ends the server where this process ends early.
  const endWithUs = (): void => void stop(child)
  process.once('exit', endWithUs)
  child.once('exit', () => process.off('exit', endWithUs))
  let said = ''
  const hear = (chunk: Buffer): void => {
    said += chunk.toString('utf8')
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const deadline = Date.now() + 120_000
  while (!(await isWell(stage.url))) {
    if (hasEnded(child) || Date.now() > deadline) {
      await stop(child)
      throw new Error(`npm start did not start a server:\n${said}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { stop: () => stop(child) }
}
