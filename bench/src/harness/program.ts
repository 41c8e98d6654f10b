import { fork } from 'node:child_process'
import { once } from 'node:events'
import { type Round, repeat } from './round.ts'

/** What a script does in a process of its own. */
export interface Program<O, A> {
  readonly open: (options: O) => Promise<A>
  /** Works for about this many seconds. */
  readonly round?: (seconds: number) => Promise<Round>
}

/** A process that runs a script. */
export interface Running<O, A> {
  readonly pid: number
  readonly open: (options: O) => Promise<A>
  readonly round: (seconds: number) => Promise<Round>
  readonly close: () => Promise<void>
}

interface Reply {
  readonly value?: unknown
  readonly error?: string
}

/** Runs a script that calls `answerCalls`, which takes one call at a time. The script ends with this process in every case. */
export const startProgram = <O, A>(script: URL): Running<O, A> => {
  const child = fork(script, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
    execArgv: [],
  })
  const exited = once(child, 'exit').then((): [Reply] => [{ error: `${script.pathname} ended` }])
  const call = async (method: string, argument: unknown): Promise<never> => {
    const reply = once(child, 'message') as Promise<[Reply]>
    child.send({ method, argument })
    const [{ value, error }] = await Promise.race([reply, exited])
    if (error !== undefined) throw new Error(error)
    return value as never
  }
  return {
    pid: child.pid ?? 0,
    open: (options) => call('open', options),
    round: (seconds) => call('round', seconds),
    close: async () => {
      child.kill()
      await exited
    },
  }
}

/** Answers the calls of the parent process until the parent disconnects. Returns the program, for its type. */
export const answerCalls = <O, A>(program: Program<O, A>): Program<O, A> => {
  process.on('message', ({ method, argument }: { method: 'open' | 'round'; argument: never }) => {
    const work = Promise.resolve(program[method]?.(argument))
    work.then(
      (value) => process.send?.({ value } satisfies Reply),
      (error: unknown) => process.send?.({ error: error instanceof Error ? error.stack : String(error) }),
    )
  })
  process.once('disconnect', () => process.exit(0))
  return program
}

/** Answers the calls like `answerCalls`. A round repeats each of the operations that `open` returns. */
export const repeatOperations = <O>(open: (options: O) => Promise<readonly (() => unknown)[]>): Program<O, void> => {
  let operations: readonly (() => unknown)[] = []
  return answerCalls<O, void>({
    open: async (options) => {
      operations = await open(options)
    },
    round: (seconds) => repeat(operations, seconds),
  })
}
