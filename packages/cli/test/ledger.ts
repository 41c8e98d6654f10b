import { type Client, CountersignError } from '@countersign/client-sdk'
import { expect } from 'vitest'
import { logIn, statusOf } from '../src/testing/over-http.ts'

/** A look at a server after the crash of its predecessor, with a fresh login. */
export interface Look {
  readonly client: Client
  readonly token: string
}

type Holds = (look: Look) => Promise<void>

/** The changes that a killed server acknowledged to a user, and the checks that they are still true. */
export interface Ledger {
  readonly email: string
  /** Notes an acknowledged change that never ends. */
  note(what: string, holds: Holds): void
  /** Records a state that must be true at the first check and may change afterwards. The returned function removes the record. */
  noteAlive(holds: Holds): () => void
  /**
   * Sends a request that can succeed only once. With a response, the request is used up. Without a response, it may be used
   * up or not, and can succeed at most once more.
   */
  once<T>(what: string, client: Client, send: (client: Client) => Promise<T>): Promise<T>
  /** Checks everything that was noted. Fails if anything differs. */
  check(client: Client): Promise<void>
  /** Descriptions of the changes that never end. */
  readonly noted: readonly string[]
}

/** Returns whether a call failed without a response because its server was killed. `fetch` reports this with these words. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof CountersignError && error.cause instanceof TypeError && /^(fetch failed|terminated)$/.test(error.cause.message)

/** The statuses for something that is used up or no longer valid. */
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
