import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { hours, minutes } from '../../shared/clock.ts'
import { RateLimited } from '../../shared/errors.ts'
import { createTestUser, testPassword } from '../../testing/sign-in.ts'
import { InvalidCredentials } from '../authentication/errors.ts'

const HOME = '198.51.100.1'

/**
 * Simulates one day. An attacker guesses at an account without a pause, from a number of addresses, as soon as each refusal
 * allows. Every half hour the owner logs in from home, and from a new address. Where both try at the same moment, the attacker
 * is first.
 */
const playDay = async (strangerAddresses: number) => {
  const { countersign, clock } = await createTestCountersign()
  const { email } = await createTestUser({ countersign })
  await countersign.auth.login({ email, password: testPassword, address: HOME })
  const start = clock.now()
  const end = start + hours(24)

  let guesses = 0
  const addresses = Array.from({ length: strangerAddresses }, (_, index) => ({
    name: `stranger ${index}`,
    used: 0,
    freeAt: start,
  }))
  const nextAddress = () => addresses.reduce((next, each) => (each.freeAt < next.freeAt ? each : next))
  const guess = async (): Promise<void> => {
    const from = nextAddress()
    try {
      await countersign.auth.login({ email, password: `guess ${guesses}`, address: from.name })
    } catch (error) {
      if (error instanceof InvalidCredentials) {
        guesses += 1
        from.used += 1
      } else if (error instanceof RateLimited) {
        // If an address with free attempts is refused, every other address would be refused too.
        const refused = from.used < 20 ? addresses : [from]
        for (const each of refused) each.freeAt = Math.max(each.freeAt, clock.now() + error.retryAfterMs)
      } else throw error
    }
  }

  const owner = { fromHome: 0, fromNewAddresses: 0, tries: 0 }
  const enterFrom = async (address: string): Promise<number> => {
    try {
      await countersign.auth.login({ email, password: testPassword, address })
      return 1
    } catch (error) {
      if (error instanceof RateLimited) return 0
      throw error
    }
  }

  let ownerAt = start + minutes(15)
  for (;;) {
    const guessAt = nextAddress().freeAt
    if (Math.min(guessAt, ownerAt) >= end) return { guesses, owner }
    clock.advance(Math.min(guessAt, ownerAt) - clock.now())
    if (guessAt <= ownerAt) {
      await guess()
      continue
    }
    owner.tries += 1
    owner.fromHome += await enterFrom(HOME)
    owner.fromNewAddresses += await enterFrom(`journey ${owner.tries}`)
    ownerAt += minutes(30)
  }
}

// docs/security.md states these figures.
describe('in 24 hours, an attacker who never pauses', () => {
  it('from one address gets 119 guesses, and the owner can always log in, from new addresses too', async () => {
    expect(await playDay(1)).toStrictEqual({ guesses: 119, owner: { tries: 48, fromHome: 48, fromNewAddresses: 48 } })
  })

  it('from ten addresses gets 1,143 guesses, and the owner cannot log in from new addresses for four hours in total', async () => {
    expect(await playDay(10)).toStrictEqual({ guesses: 1143, owner: { tries: 48, fromHome: 48, fromNewAddresses: 40 } })
  })

  it('from a thousand addresses gets 1,539 guesses, and the owner can always log in from a known address', async () => {
    expect(await playDay(1000)).toStrictEqual({ guesses: 1539, owner: { tries: 48, fromHome: 48, fromNewAddresses: 0 } })
  })
})
