import { it } from 'vitest'
import { expectTextbookDecisions } from '../../contract/identity/rate-limit-traces.ts'
import { createMemoryStorage } from '../storage.ts'

it('rate limits in memory agree with a textbook algorithm in 10,000 random traces', async () => {
  await expectTextbookDecisions(createMemoryStorage().rateLimits)
}, 60_000)
