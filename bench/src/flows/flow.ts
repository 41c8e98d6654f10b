import { answerCalls } from '../harness/calls.ts'
import { connectTo, type Send } from '../harness/http.ts'
import { repeat } from '../harness/repeat.ts'
import type { Round } from '../harness/round.ts'

/** What a script of conversations with a server is given. */
export interface FlowOptions<C> {
  readonly url: string
  /** What each conversation begins with; there are as many at once as there are of these. */
  readonly conversations: readonly C[]
}

export interface FlowMethods<C> extends Record<string, (argument: never) => Promise<unknown>> {
  open(options: FlowOptions<C>): Promise<void>
  round(seconds: number): Promise<Round>
}

/**
 * Answers the calls of a benchmark with conversations, each on a connection of its own, that go on from round to round.
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
