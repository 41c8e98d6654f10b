import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Answer, Call } from './serve-storage.ts'

export interface OtherProcess {
  /** Calls a method such as `sessions.end` in the other process. */
  call(method: string, ...input: readonly unknown[]): Promise<unknown>
  /** Kills the process, as in a crash. */
  kill(): Promise<void>
  /** Resolves when the process has ended. Unanswered calls then stay pending. */
  readonly gone: Promise<unknown>
}

/** Starts another process with the same database. The caller must kill it. */
export const otherProcess = async (path: string): Promise<OtherProcess> => {
  const child = fork(fileURLToPath(new URL('./serve-storage.ts', import.meta.url)), [path], {
    execArgv: ['--conditions=@countersign/source'],
    serialization: 'advanced',
  })
  const gone = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await gone
  }

  const waiting = new Map<number, (answer: Answer) => void>()
  let calls = 0
  await once(child, 'message')
  child.on('message', (answer: Answer) => waiting.get(answer.number)?.(answer))

  return {
    kill,
    gone,
    call: (method, ...input) =>
      new Promise((resolve, reject) => {
        calls += 1
        const call: Call = { number: calls, method, input }
        waiting.set(call.number, (answer) => ('error' in answer ? reject(new Error(answer.error)) : resolve(answer.output)))
        // A call that cannot be sent stays pending.
        child.send(call, () => {})
      }),
  }
}
