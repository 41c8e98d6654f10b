import type { Introspection, Introspector } from '@countersign/core'
import { whenKnown } from '@countersign/core'
import { LRUCache } from 'lru-cache'
import type { Asked } from './http/asked.ts'
import { type Answer, exchange } from './http/exchange.ts'
import type { Host } from './http/host.ts'
import { type Operate, placeOf } from './http/mount.ts'
import { createToJson } from './http/to-json.ts'
import { presentIntrospection } from './identity/serializers/introspection.ts'

/** How a question that was answered well is asked again, and what was told the last time. */
interface Question {
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

/** Signatures by 18 bits of them: a quarter of all before they are forgotten, so that few new ones are taken for others. */
const SIGNATURE_BITS = 18
const MOST_SIGNATURES = 2 ** (SIGNATURE_BITS - 2)

/**
 * Tells whether a token was seen before, or rarely, as if it had been. A token that is asked about once is not worth
 * remembering: to lay aside what nobody asks for again took an eighth of the time of such a question. A signature is
 * chance to whoever does not have the key, so nobody can choose which bit of it is looked at.
 */
const seenBefore = (): ((token: string) => boolean) => {
  const seen = new Uint8Array(2 ** SIGNATURE_BITS)
  let count = 0
  return (token) => {
    const start = token.lastIndexOf('.') + 1
    const place = Buffer.from(token.slice(start, start + 4), 'base64url').readUIntBE(0, 3) >>> (24 - SIGNATURE_BITS)
    if (seen[place] === 1) return true
    if (count === MOST_SIGNATURES) {
      seen.fill(0)
      count = 0
    }
    seen[place] = 1
    count += 1
    return false
  }
}

/** Those last asked stay, from the second time on. */
export const knownQuestions = (): KnownQuestions => {
  const questions = new LRUCache<string, Question>({
    max: MOST_QUESTIONS,
    maxSize: MOST_CHARACTERS,
    sizeCalculation: (_, key) => key.length,
  })
  const isSeen = seenBefore()
  // No header has a line break in it, so no two questions share a key.
  const keyOf = (authorization: string, serviceName: string): string => `${serviceName}\n${authorization}`
  return {
    get: (authorization, serviceName) => questions.get(keyOf(authorization, serviceName)),
    keep: (token, serviceName, ask) => {
      if (isSeen(token)) questions.set(keyOf(`Bearer ${token}`, serviceName), { ask, told: undefined })
    },
  }
}

/**
 * Other services ask about the same tokens over and over. Of a question that is known, headers need not be read and checked
 * again: it is asked again of the core, which looks at the clock and at its session each time; and as long as that tells the
 * very same, it is answered with the same text. Without it, the route does a seventh less in the same time.
 */
export const verifyAgain = (host: Host, questions: KnownQuestions, operate: Operate): Operate => {
  const place = placeOf('internal.verify')
  const toJson = createToJson(host, 'internal.verify')

  const answerOf = (question: Question, introspection: Introspection, request: Asked): Answer => {
    if (question.told?.introspection !== introspection) {
      const answer = { status: 200, body: toJson(presentIntrospection(introspection), request) }
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
      whenKnown(question.ask(), (introspection) => answerOf(question, introspection, arrival.request)),
    )
  }
}
