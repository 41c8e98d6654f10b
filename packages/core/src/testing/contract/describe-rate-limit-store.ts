import { afterAll, beforeAll, describe, it } from 'vitest'
import type { RateLimitStore } from '../../identity/rate-limits/store.ts'
import { expectTextbookDecisions } from './identity/rate-limit-traces.ts'
import { rateLimitsContract } from './identity/rate-limits.ts'
import { rateLimitsGivenBackContract } from './identity/rate-limits-given-back.ts'

/** The milliseconds that a test may take. See `describeStorage`. */
const PATIENCE = 60_000

export interface OpenedRateLimitStore {
  readonly store: RateLimitStore
  close(): Promise<void>
}

/**
 * Declares the contract suite of `RateLimitStore` in Vitest: the cases that every storage passes, and 10,000 random traces.
 *
 * @param open Opens the store. Called once, before the suite. The suite closes the store, and uses keys that are unique to it.
 */
export const describeRateLimitStore = (name: string, open: () => Promise<OpenedRateLimitStore>): void => {
  describe(`rate limits: ${name}`, { timeout: PATIENCE }, () => {
    let opened: OpenedRateLimitStore | undefined
    const store = (): RateLimitStore => {
      if (opened === undefined) throw new Error('the store was not opened')
      return opened.store
    }

    beforeAll(async () => {
      opened = await open()
    }, PATIENCE)

    afterAll(async () => {
      await opened?.close()
    })

    rateLimitsContract(store)
    rateLimitsGivenBackContract(store)

    it('agree with a textbook algorithm in 10,000 random traces', { timeout: 4 * PATIENCE }, async () => {
      await expectTextbookDecisions(store())
    })
  })
}
