import { type Client, CountersignError } from '@countersign/client-sdk'
import { expect } from 'vitest'
import { logIn, statusOf } from '../src/testing/over-http.ts'

/** How a user looks at a server after the crash of another: with a login of a moment ago. */
export interface Look {
  readonly client: Client
  readonly token: string
}

type Holds = (look: Look) => Promise<void>

/** What a user was told by a server that was killed since, and how each of it is seen to be true still. */
export interface Ledger {
  readonly email: string
  /** Notes what was acknowledged and holds for good. */
  note(what: string, holds: Holds): void
  /** Notes what holds at the first look, and maybe not after it; the answer takes the note back. */
  noteAlive(holds: Holds): () => void
  /**
   * Sends what can succeed once. Answered, it is spent for good; unanswered, it may be spent or not, and still
   * succeeds once at most.
   */
  once<T>(what: string, client: Client, send: (client: Client) => Promise<T>): Promise<T>
  /** Looks at everything that was noted; fails where anything is not as it was acknowledged. */
  check(client: Client): Promise<void>
  /** What was noted for good, in words. */
  readonly noted: readonly string[]
}

/** A server that is killed leaves without an answer, which `fetch` tells by these words; all else is a failure. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof CountersignError && error.cause instanceof TypeError && /^(fetch failed|terminated)$/.test(error.cause.message)

/** Used up, or no longer good. */
const spent = [401, 410]

export const openLedger = (email: string): Ledger => {
  const alive = new Set<Holds>()
  const entries: { readonly what: string; readonly holds: Holds }[] = []
  const note: Ledger['note'] = (what, holds) => {
    entries.push({ what, holds })
  }
  return {
    email,
    note,
    noteAlive: (holds) => {
      alive.add(holds)
      return () => void alive.delete(holds)
    },
    once: async (what, client, send) => {
      try {
        const answer = await send(client)
        note(`${what}, spent`, async (look) => expect(await statusOf(send(look.client)), what).toBeOneOf(spent))
        return answer
      } catch (error) {
        if (isUnanswered(error)) {
          note(`${what}, unanswered`, async (look) => {
            expect(await statusOf(send(look.client)), what).toBeOneOf([200, ...spent])
            expect(await statusOf(send(look.client)), what).toBeOneOf(spent)
          })
        }
        throw error
      }
    },
    check: async (client) => {
      const { accessToken: token } = await logIn(client, email)
      for (const holds of alive) await holds({ client, token })
      alive.clear()
      for (const { holds } of entries) await holds({ client, token })
    },
    get noted() {
      return entries.map(({ what }) => what)
    },
  }
}
