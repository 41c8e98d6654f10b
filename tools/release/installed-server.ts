import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { endGroup, startGroup } from './process-group.ts'

export interface InstalledServer {
  readonly url: string
  stop(): Promise<void>
}

/** Returns the address in a line of the server's log; `undefined` for every other line. */
const listeningUrl = (line: string): string | undefined => {
  try {
    const { event, url } = JSON.parse(line) as { readonly event?: string; readonly url?: string }
    return event === 'listening' ? url : undefined
  } catch {
    return undefined
  }
}

const HALF_A_MINUTE = 30_000

/** Starts a server and resolves when it listens. Rejects with its output if it ends, or after `timeout` milliseconds. */
export const startInstalledServer = async (
  [command, ...args]: readonly [string, ...string[]],
  { cwd, env, timeout = HALF_A_MINUTE }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly timeout?: number },
): Promise<InstalledServer> => {
  const child = startGroup(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(child, 'exit').then(([code, signal]) => `ended with ${code ?? signal}`)
  const lines: string[] = []
  const { promise: listening, resolve: listens } = Promise.withResolvers<{ readonly url: string }>()
  for (const stream of [child.stdout, child.stderr])
    if (stream !== null)
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line)
        const url = listeningUrl(line)
        if (url !== undefined) listens({ url })
      })
  const tooLate = setTimeout(timeout, `did not listen within ${timeout / 1000} s`, { ref: false })
  const first = await Promise.race([listening, exited, tooLate])
  const stop = async (): Promise<void> => {
    endGroup(child)
    await exited
  }
  if (typeof first !== 'string') return { ...first, stop }
  await stop()
  throw new Error([`$ ${[command, ...args].join(' ')}`, `in ${cwd}: ${first}`, ...lines].join('\n'))
}
