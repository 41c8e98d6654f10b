import type { Introspection, Introspector } from '@countersign/core'
import { whenKnown } from '@countersign/core'
import { LRUCache } from 'lru-cache'
import { type Answer, exchange } from './exchange.ts'
import type { Host } from './host.ts'
import { createToJson, type Operate, placeOf } from './mount.ts'
import { presentIntrospection } from './present/introspection.ts'

/** A question that was answered well, as its headers put it, and how it is asked again. */
interface Question {
  readonly authorization: string
  readonly serviceName: string
  readonly ask: Introspector
  told: { readonly introspection: Introspection; readonly answer: Answer } | undefined
}

/** Questions to `/internal/verify` that were answered with 200, put in the words in which nearly all are. */
export interface KnownQuestions {
  get(authorization: string, serviceName: string): Question | undefined
  keep(token: string, serviceName: string, ask: Introspector): void
}

/** Questions, and characters of all their headers: some ten thousand of the usual size. */
const MOST_QUESTIONS = 20_000
const MOST_CHARACTERS = 8 * 1024 * 1024
/** The signature of a token: what tells one from another, and quicker to look up by than all of it. */
const SIGNATURE_CHARACTERS = 43

/** Those last asked stay. */
export const knownQuestions = (): KnownQuestions => {
  const questions = new LRUCache<string, Question>({
    max: MOST_QUESTIONS,
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ authorization }) => authorization.length,
  })
  const keyOf = (authorization: string, serviceName: string): string => serviceName + authorization.slice(-SIGNATURE_CHARACTERS)
  return {
    get: (authorization, serviceName) => {
      const question = questions.get(keyOf(authorization, serviceName))
      return question?.authorization === authorization && question.serviceName === serviceName ? question : undefined
    },
    keep: (token, serviceName, ask) => {
      const authorization = `Bearer ${token}`
      questions.set(keyOf(authorization, serviceName), { authorization, serviceName, ask, told: undefined })
    },
  }
}

/**
 * Other services ask about the same tokens over and over. Of a question that is known, headers need not be read and checked
 * again: it is asked again of the core, which looks at the clock and at its session each time; and as long as that tells the
 * very same, it is answered with the same text. This halves what the route takes beyond the server beneath it.
 */
export const verifyAgain = (host: Host, questions: KnownQuestions, operate: Operate): Operate => {
  const place = placeOf('internal.verify')
  const toJson = createToJson(host, 'internal.verify')

  const answerOf = (question: Question, introspection: Introspection): Answer => {
    if (question.told?.introspection !== introspection) {
      const answer = { status: 200, body: toJson(presentIntrospection(introspection)) }
      question.told = { introspection, answer }
    }
    return question.told.answer
  }

  return (arrival) => {
    const { headers, url } = arrival.request
    // A query says nothing here, but is judged all the same.
    if (url.includes('?')) return operate(arrival)
    const question = questions.get(headers.get('authorization') ?? '', headers.get('x-service-name') ?? '')
    if (question === undefined) return operate(arrival)
    return exchange(host, arrival.request, place, () =>
      whenKnown(question.ask(), (introspection) => answerOf(question, introspection)),
    )
  }
}
