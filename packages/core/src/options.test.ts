import { createTestStorage } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { createCountersign } from './countersign.ts'
import { defaultRateLimits, perMinute } from './identity/rate-limits/limits.ts'
import { checkedOptions, defaultOptions, type GivenOptions, type Options } from './options.ts'
import { days, minutes } from './shared/clock.ts'
import { aKeyRing } from './testing/test-keys.ts'

/** Returns the checked options, or the error. */
const refusalOf = (given: unknown): unknown => {
  try {
    return checkedOptions(given as GivenOptions)
  } catch (error) {
    return error
  }
}

const names = Object.keys(defaultOptions) as (keyof Options)[]
const limit = perMinute(1, minutes(1), 1)

describe('options', () => {
  it('accept a refresh leeway of 0 to 30 seconds only', () => {
    expect(checkedOptions({ ...defaultOptions, refreshLeeway: 30_000 }).refreshLeeway).toBe(30_000)
    for (const refreshLeeway of [-1, 30_001, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => checkedOptions({ ...defaultOptions, refreshLeeway })).toThrow(RangeError)
    }
  })

  it('accept no limit of sessions below 2, because an approval needs a page and a phone', () => {
    expect(checkedOptions({ ...defaultOptions, sessionsPerUser: 2 }).sessionsPerUser).toBe(2)
    expect(() => checkedOptions({ ...defaultOptions, sessionsPerUser: 1 })).toThrow(
      'sessionsPerUser must be a whole number from 2',
    )
  })

  it('accept a renewal window from 0 to 5 minutes', () => {
    for (const renewalWindow of [0, 300_000]) {
      expect(checkedOptions({ ...defaultOptions, renewalWindow }).renewalWindow).toBe(renewalWindow)
    }
    expect(() => checkedOptions({ ...defaultOptions, renewalWindow: 300_001 })).toThrow(RangeError)
  })

  it('accept an issuer of at most 255 bytes', () => {
    for (const issuer of ['i'.repeat(255), 'é'.repeat(127)])
      expect(checkedOptions({ ...defaultOptions, issuer }).issuer).toBe(issuer)
    for (const issuer of ['i'.repeat(256), 'é'.repeat(128)]) {
      expect(() => checkedOptions({ ...defaultOptions, issuer })).toThrow(new RangeError('issuer must be at most 255 bytes'))
    }
  })

  it('have their defaults if a host gives none', () => {
    for (const given of [undefined, {}, defaultOptions]) expect(checkedOptions(given)).toStrictEqual(defaultOptions)
  })

  it.each(names)('use the default of %s when the value is undefined', (name) => {
    expect(refusalOf({ [name]: undefined })).toStrictEqual(defaultOptions)
  })

  it('use the default of a rate limit when the value is undefined', () => {
    const rateLimits = { confirmation: limit, authentication: undefined, projects: undefined }
    expect(refusalOf({ rateLimits })).toMatchObject({ rateLimits: { ...defaultRateLimits, confirmation: limit } })
  })

  it.each(names)('refuse %s of another type, and name the option', (name) => {
    const otherType = typeof defaultOptions[name] === 'boolean' ? 'on' : true
    for (const value of [null, otherType, Symbol('x'), [7], { canary: 'canary' }, 7.5, Number.NaN, -1, '']) {
      const refusal = refusalOf({ [name]: value })
      expect(refusal).toBeInstanceOf(RangeError)
      expect((refusal as Error).message).toMatch(new RegExp(`^${name}\\b.* must `))
      expect((refusal as Error).message).not.toContain('canary')
    }
  })

  const numbers = names.filter((name) => typeof defaultOptions[name] === 'number')
  it.each(numbers)('accept only whole numbers for %s', (name) => {
    for (const value of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_VALUE, '20', 20n]) {
      expect(refusalOf({ [name]: value })).toMatchObject({
        name: 'RangeError',
        message: expect.stringContaining(`${name} must be`),
      })
    }
  })

  it.each(numbers.filter((name) => !['refreshLeeway', 'renewalWindow'].includes(name)))('refuse 0 for %s', (name) => {
    expect(refusalOf({ [name]: 0 })).toBeInstanceOf(RangeError)
  })

  it.each(numbers.filter((name) => name.endsWith('Lifetime')))('accept one second for %s, and refuse less', (name) => {
    expect(refusalOf({ [name]: 1000 })).toMatchObject({ [name]: 1000 })
    expect(refusalOf({ [name]: 900 })).toBeInstanceOf(RangeError)
  })

  it.each([
    [{ rateLimits: 'on' }, 'rateLimits must be off, or limits by category'],
    [{ rateLimits: { confirmations: limit } }, 'rateLimits must be off, or limits by category'],
    [{ rateLimits: { confirmation: 20 } }, 'rateLimits.confirmation must be a limit, as perMinute makes it'],
    [{ rateLimits: { projects: { ...limit, burst: undefined } } }, 'rateLimits.projects.burst must be a whole number'],
    [{ rateLimits: { health: perMinute(Number.NaN, 1000, 1) } }, 'rateLimits.health.refillMs must be whole milliseconds'],
    [{ rateLimits: { internal: { ...limit, windowMax: 0 } } }, 'rateLimits.internal.windowMax must be a whole number'],
    [{ projectStatuses: 'pending' }, 'projectStatuses must be any, or a list of statuses'],
    [
      { projectStatuses: ['open', 'Approved'] },
      'projectStatuses[1] must be approved itself, or a text that does not look like it',
    ],
    [{ projectStatuses: ['open', 'On\nhold'] }, 'projectStatuses[1] must be text of 1 to 64 characters without control'],
    [{ leastUserVerification: 'always' }, 'leastUserVerification must be one of required, preferred, discouraged'],
    [{ relyingParty: { id: 'bank.test', name: 'Bank' } }, 'relyingParty must have an id and a name'],
    [
      { relyingParty: { id: 'bank.test', name: 'Bank', origins: 'https://bank.test' } },
      'relyingParty must have an id and a name',
    ],
    [{ relyingParty: { id: 'bank.test', name: 'Bank', origins: undefined } }, 'relyingParty must have an id and a name'],
    [{ relyingParty: { id: undefined, name: 'Bank', origins: [] } }, 'relyingParty must have an id and a name'],
    [{ devicePerUser: 5 }, 'options must be an object of some of issuer, challengeLifetime'],
    ['none', 'options must be an object of some of issuer'],
    [null, 'options must be an object of some of issuer'],
  ])('refuse %j', (given, message) => {
    expect(refusalOf(given)).toMatchObject({ name: 'RangeError', message: expect.stringContaining(message) })
  })

  it('accept rate limits with windows of months', () => {
    const confirmation = perMinute(1, days(60), 5)
    expect(checkedOptions({ rateLimits: { confirmation } }).rateLimits).toStrictEqual({ ...defaultRateLimits, confirmation })
  })

  it('name every wrong option', () => {
    expect(refusalOf({ devicesPerUser: 0, projectCode: 'x' })).toMatchObject({
      message: 'devicesPerUser must be a whole number from 1 to 2147483647; projectCode must be a function',
    })
  })

  it('do not read the origins of a relying party', () => {
    const relyingParty = {
      id: 'localhost',
      name: 'Bank',
      get origins(): readonly string[] {
        throw new Error('not yet')
      },
    }
    expect(checkedOptions({ relyingParty }).relyingParty).toBe(relyingParty)
  })

  it('are checked when a countersign is created', async () => {
    const given = { storage: await createTestStorage(), jwtKeys: aKeyRing(), encryptionKeys: aKeyRing() }
    const options = { wrongSignaturesPerConfirmation: Number(undefined) }
    expect(() => createCountersign({ ...given, options })).toThrow('wrongSignaturesPerConfirmation must be a whole number')
  })
})
