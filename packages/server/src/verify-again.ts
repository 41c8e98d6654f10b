import type { Introspection, Introspector } from '@countersign/core'
import { whenKnown } from '@countersign/core'
import { LRUCache } from 'lru-cache'
import { type Answer, exchange } from './exchange.ts'
import type { Host } from './host.ts'
import { bearerToken } from './middleware/bearer-token.ts'
import { createToJson, type Operate, placeOf } from './mount.ts'
import { presentIntrospection } from './present/introspection.ts'
import type { Asked } from './wire/asked.ts'

/** A question that was answered before, as its headers put it, and how it is asked again. */
interface Question {
  readonly authorization: string
  readonly serviceName: string
  readonly ask: Introspector
  told: { readonly introspection: Introspection; readonly answer: Answer } | undefined
}

/** Questions, and characters of all their headers: some ten thousand of the usual size. */
const MOST_QUESTIONS = 20_000
const MOST_CHARACTERS = 8 * 1024 * 1024
/** The signature of a token: what tells one from another, and quicker to look up by than all of it. */
const SIGNATURE_CHARACTERS = 43

/**
 * Other services ask about the same tokens over and over. Of a question that was answered with 200, headers need not be
 * read and checked again: put in the very same words, it is asked again of the core, which looks at the clock and at its
 * session each time; and as long as that tells the very same, it is answered with the same text. This halves what the route
 * takes beyond the server beneath it.
 */
export const verifyAgain = (host: Host, operate: Operate): Operate => {
  const place = placeOf('internal.verify')
  const toJson = createToJson(host, 'internal.verify')
  const questions = new LRUCache<string, Question>({
    max: MOST_QUESTIONS,
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ authorization }) => authorization.length,
  })
  const keyOf = (authorization: string, serviceName: string): string => serviceName + authorization.slice(-SIGNATURE_CHARACTERS)

  const remember = (headers: Asked['headers'], authorization: string, serviceName: string): void => {
    const ask = host.countersign.auth.introspector({ token: bearerToken(headers), serviceName })
    questions.set(keyOf(authorization, serviceName), { authorization, serviceName, ask, told: undefined })
  }

  const answerOf = (question: Question, introspection: Introspection): Answer => {
    if (question.told?.introspection !== introspection) {
      const answer = { status: 200, body: toJson(presentIntrospection(introspection)) }
      question.told = { introspection, answer }
    }
    return question.told.answer
  }

  return (arrival) => {
    const { headers } = arrival.request
    const authorization = headers.get('authorization') ?? ''
    const serviceName = headers.get('x-service-name') ?? ''
    const question = questions.get(keyOf(authorization, serviceName))
    if (question?.authorization === authorization && question.serviceName === serviceName) {
      return exchange(host, arrival.request, place, () =>
        whenKnown(question.ask(), (introspection) => answerOf(question, introspection)),
      )
    }
    return whenKnown(operate(arrival), (sent) => {
      if (sent.status === 200) remember(headers, authorization, serviceName)
      return sent
    })
  }
}
