import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** A call between parent and child process. It names a method; the reply is a value or an error. */
interface CallMessage {
  readonly id: number
  readonly method: string
  readonly argument: unknown
}

interface AnswerMessage {
  readonly id: number
  readonly value?: unknown
  readonly error?: string
}

/** The methods that a script offers. */
export type Methods = Readonly<Record<string, (argument: never) => Promise<unknown>>>

/** A process that runs one of our scripts. */
export interface Worker<M extends Methods> {
  readonly pid: number
  call<N extends keyof M & string>(method: N, argument: Parameters<M[N]>[0]): Promise<Awaited<ReturnType<M[N]>>>
  /** Ends the process. */
  close(): Promise<void>
}

/** Runs a script that calls `answerCalls`. The script ends with this process in every case. */
export const startWorker = <M extends Methods>(script: URL, execArgv: readonly string[] = []): Worker<M> => {
  const child = fork(script, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
    execArgv: [...execArgv],
  })
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let calls = 0
  child.on('message', ({ id, value, error }: AnswerMessage) => {
    const answer = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) answer?.resolve(value)
    else answer?.reject(new Error(error))
  })
  child.once('exit', (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`${script.pathname} ended (${signal ?? code})`))
    waiting.clear()
  })
  return {
    pid: child.pid ?? 0,
    call: (method, argument) => {
      const answer = Promise.withResolvers<unknown>()
      calls += 1
      waiting.set(calls, answer)
      child.send({ id: calls, method, argument } satisfies CallMessage)
      return answer.promise as Promise<never>
    },
    close: () => end(child),
  }
}

/** Ends a child process and waits until it has ended. */
export const end = async (child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

/** Answers the calls of the parent process until the parent disconnects. */
export const answerCalls = (methods: Methods): void => {
  process.on('message', ({ id, method, argument }: CallMessage) => {
    const answer = (message: Omit<AnswerMessage, 'id'>): void => void process.send?.({ id, ...message })
    const work = methods[method]
    if (work === undefined) return answer({ error: `no method ${method}` })
    work(argument as never).then(
      (value) => answer({ value }),
      (error: unknown) => answer({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  })
  process.once('disconnect', () => process.exit(0))
}
