import { answerCalls } from '../harness/calls.ts'
import { connectTo, type Send } from '../harness/http.ts'
import { repeat } from '../harness/repeat.ts'
import type { Round } from '../harness/round.ts'

/** The input of a script that holds conversations with a server. */
export interface FlowOptions<C> {
  readonly url: string
  /** The start of each conversation. All conversations run in parallel. */
  readonly conversations: readonly C[]
}

export interface FlowMethods<C> extends Record<string, (argument: never) => Promise<unknown>> {
  open(options: FlowOptions<C>): Promise<void>
  round(seconds: number): Promise<Round>
}

/**
 * Answers the calls of a benchmark with conversations. Each has its own connection and continues from round to round.
 *
 * @param converse Makes one step of a conversation, which is one operation.
 */
export const answerWithFlow = <C>(converse: (send: Send, begin: C) => () => Promise<void>): void => {
  let steps: readonly (() => Promise<void>)[] = []
  const methods: FlowMethods<C> = {
    open: async ({ url, conversations }) => {
      const send = connectTo(url, conversations.length)
      steps = conversations.map((begin) => converse(send, begin))
    },
    round: (seconds) => repeat(steps, seconds),
  }
  answerCalls(methods)
}
