import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism, constants, setPriority } from 'node:os'
import { compileCache } from '../../../tools/testing/compile-cache.ts'
import { type Round, repeat } from './round.ts'

/** The work of a script of `programs`, in a process of its own. `round` works for about this many seconds. */
export interface Program<O, A> {
  readonly open: (options: O) => Promise<A>
  readonly round?: (seconds: number) => Promise<Round>
}

interface Reply {
  readonly value?: unknown
  readonly error?: string
}

/** Runs a script of `programs`, which takes one call at a time. The script ends with this process in every case. */
export const startProgram = <P extends Program<never, unknown>>(script: string) => {
  const env = { ...process.env, ...compileCache }
  const child = fork(new URL(`../programs/${script}.ts`, import.meta.url), {
    ...{ stdio: ['ignore', 'inherit', 'inherit', 'ipc'], serialization: 'advanced', execArgv: [], env },
  })
  const exited = once(child, 'exit').then((): [Reply] => [{ error: `${script} ended` }])
  const call = async (method: string, argument: unknown): Promise<never> => {
    const reply = once(child, 'message') as Promise<[Reply]>
    child.send({ method, argument })
    const [{ value, error }] = await Promise.race([reply, exited])
    if (error !== undefined) throw new Error(error)
    return value as never
  }
  return {
    pid: child.pid ?? 0,
    open: (options: Parameters<P['open']>[0]): Promise<Awaited<ReturnType<P['open']>>> => call('open', options),
    round: (seconds: number): Promise<Round> => call('round', seconds),
    close: async (): Promise<void> => {
      child.kill()
      await exited
    },
  }
}

/** Answers the calls of the parent process until the parent disconnects. Returns the program, for its type. */
export const answerCalls = <O, A>(open: Program<O, A>['open'], round?: Program<O, A>['round']): Program<O, A> => {
  const program = { open, round }
  process.on('message', ({ method, argument }: { method: 'open' | 'round'; argument: never }) => {
    Promise.resolve(program[method]?.(argument)).then(
      (value) => process.send?.({ value } satisfies Reply),
      (error: unknown) => process.send?.({ error: error instanceof Error ? error.stack : String(error) }),
    )
  })
  process.once('disconnect', () => process.exit(0))
  return { open, ...(round && { round }) }
}

/** Answers the calls like `answerCalls`. A round repeats each of the operations that `open` returns. */
export const repeatOperations = <O>(open: (options: O) => Promise<readonly (() => unknown)[]>): Program<O, void> => {
  let operations: readonly (() => unknown)[] = []
  const openAll = async (options: O): Promise<void> => {
    operations = await open(options)
  }
  return answerCalls(openAll, (seconds) => repeat(operations, seconds))
}

/** Sets the scheduling policy of a process (sched(7)), if the machine has the command and permits it. */
const schedule = (policy: readonly string[], pid: number): void => {
  if (process.platform === 'linux') spawnSync('chrt', ['--all-tasks', ...policy, String(pid)])
}

/** Runs a process before all others (`SCHED_FIFO`). Otherwise, a client that measures waiting would measure its own wait too. */
export const goFirst = (pid: number): void => schedule(['--fifo', '--pid', '1'], pid)

/** Keeps every core awake: a core that sleeps answers later, so a contender that keeps the cores busy would seem faster. */
export const keepAwake = (): { close(): Promise<unknown> } => {
  const loops = Array.from({ length: availableParallelism() }, () => startProgram('busy-loop'))
  for (const { pid } of loops) {
    setPriority(pid, constants.priority.PRIORITY_LOW)
    // On Linux, even the lowest priority takes its share from other processes, except with `SCHED_IDLE`.
    schedule(['--idle', '--pid', '0'], pid)
  }
  return { close: () => Promise.all(loops.map((loop) => loop.close())) }
}
