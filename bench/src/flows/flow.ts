import { answerCalls } from '../harness/calls.ts'
import { connectTo, type Send } from '../harness/http.ts'
import { repeat } from '../harness/repeat.ts'
import type { Round } from '../harness/round.ts'

/** The input of a script that holds conversations with a server. */
export interface FlowOptions<C> {
  readonly url: string
  readonly connections: number
  /** The start of each conversation. The connections share the conversations, and those of one connection take turns. */
  readonly conversations: readonly C[]
}

export interface FlowMethods<C> extends Record<string, (argument: never) => Promise<unknown>> {
  open(options: FlowOptions<C>): Promise<void>
  round(seconds: number): Promise<Round>
}

type Step = () => Promise<void>

const takingTurns = (steps: readonly Step[]): Step => {
  let turn = 0
  return async () => {
    const step = steps[turn % steps.length]
    turn += 1
    await step?.()
  }
}

/**
 * Answers the calls of a benchmark with conversations. Each continues from round to round.
 *
 * @param converse Makes one step of a conversation, which is one operation.
 */
export const answerWithFlow = <C>(converse: (send: Send, begin: C) => Step): void => {
  let steps: readonly Step[] = []
  const methods: FlowMethods<C> = {
    open: async ({ url, connections, conversations }) => {
      const send = connectTo(url, connections)
      const all = conversations.map((begin) => converse(send, begin))
      steps = Array.from({ length: connections }, (_, connection) =>
        takingTurns(all.filter((_, number) => number % connections === connection)),
      )
    },
    round: (seconds) => repeat(steps, seconds),
  }
  answerCalls(methods)
}
