import { optionalRateLimitCategories, rateLimitCategories, shapes, userVerificationRequirements } from '@countersign/contract'
import * as z from 'zod'
import { defaultRateLimits } from './identity/rate-limits/limits.ts'
import { LONGEST_ISSUER } from './identity/tokens/token-room.ts'
import { defaultOptions, type GivenOptions, type Options } from './options.ts'
import { complaints } from './shared/check-input.ts'
import { days, seconds } from './shared/clock.ts'

/** Longer than anybody waits, and so short that what lies ahead of now has a date in every database. */
const LONGEST_LIFETIME = days(36_525)
const LONGEST_LEEWAY = seconds(30)
/** The last integer that every database compares with a column of counts. */
const MOST = 2 ** 31 - 1

const lifetimeTakes = 'must be whole milliseconds, from 1000 (a second) to 100 years'
const lifetime = z
  .int({ error: lifetimeTakes })
  .min(seconds(1), { error: lifetimeTakes })
  .max(LONGEST_LIFETIME, { error: lifetimeTakes })

const countTakes = `must be a whole number from 1 to ${MOST}`
const count = z.int({ error: countTakes }).min(1, { error: countTakes }).max(MOST, { error: countTakes })

const leewayTakes = 'must be 0 to 30 seconds'
const leeway = z.int({ error: leewayTakes }).min(0, { error: leewayTakes }).max(LONGEST_LEEWAY, { error: leewayTakes })

const someText = z.string({ error: 'must be text' }).min(1, { error: 'must not be empty' })

// Without the quotes of JSON.
const issuer = someText.refine((text) => Buffer.byteLength(JSON.stringify(text)) - 2 <= LONGEST_ISSUER, {
  error: `must be at most ${LONGEST_ISSUER} bytes`,
})

const relyingPartyTakes = 'must have an id and a name, each a text, and origins, a list of texts'

/** Origins that are told by a getter are not asked for yet: they may be known only once something is listened on. */
const isRelyingParty = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null || !('origins' in value)) return false
  const told = Object.getOwnPropertyDescriptor(value, 'origins')
  const origins = told !== undefined && 'value' in told && { origins: z.array(someText) }
  return z.object({ id: someText, name: someText, ...origins }).safeParse(value).success
}

const timeTakes = 'must be whole milliseconds, from 1 to 100 years'
const rateLimitTakes = 'must be a limit, as perMinute makes it'
const time = z.int({ error: timeTakes }).min(1, { error: timeTakes }).max(LONGEST_LIFETIME, { error: timeTakes })
const rateLimit = z.object({ burst: count, refillMs: time, windowMax: count, windowMs: time }, { error: rateLimitTakes })

const limitsBy = <C extends string, S extends z.ZodType>(categories: readonly C[], limit: S) =>
  Object.fromEntries(categories.map((category) => [category, limit])) as Record<C, S>

const rateLimits = z.strictObject(
  { ...limitsBy(rateLimitCategories, rateLimit), ...limitsBy(optionalRateLimitCategories, rateLimit.optional()) },
  { error: `must be off, or limits by category: ${[...rateLimitCategories, ...optionalRateLimitCategories].join(', ')}` },
)

const projectStatus = shapes['projects.update'].input.shape.status.unwrap()
const projectStatuses = z.array(projectStatus, { error: 'must be any, or a list of statuses' })

/** A word that stands for a whole value has nothing else to be looked at. */
const orWord = <S extends z.ZodType>(word: string, schema: S) =>
  z.unknown().superRefine((value, context) => {
    const issues = value === word ? [] : (schema.safeParse(value).error?.issues ?? [])
    for (const { path, message } of issues) context.addIssue({ code: 'custom', path: [...path], message })
  })

/** What each option takes, in a sentence that goes on after its name and never repeats a value. */
const shape = {
  issuer,
  challengeLifetime: lifetime,
  confirmationLifetime: lifetime,
  accessTokenLifetime: lifetime,
  biometricAccessTokenLifetime: lifetime,
  refreshTokenLifetime: lifetime,
  sessionLifetime: lifetime,
  biometricRefreshTokenLifetime: lifetime,
  refreshLeeway: leeway,
  devicesPerUser: count,
  relyingParty: z.custom(isRelyingParty, { error: relyingPartyTakes }),
  passkeysPerUser: count,
  passkeyLists: z.enum(['on', 'off'], { error: 'must be on or off' }),
  leastUserVerification: z.enum(userVerificationRequirements, {
    error: `must be one of ${userVerificationRequirements.join(', ')}`,
  }),
  pendingConfirmationsPerUser: count,
  wrongSignaturesPerConfirmation: count,
  projectCode: z.custom((value) => typeof value === 'function', { error: 'must be a function' }),
  projectStatuses: orWord('any', projectStatuses),
  refusedEmails: z.array(someText, { error: 'must be a list of emails' }),
  rateLimits: orWord('off', rateLimits),
} satisfies Record<keyof Options, z.ZodType>

const names = Object.keys(shape).join(', ')
const options = z.strictObject(shape, { error: `must be an object of some of ${names}` })

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

const ofGiven = (given: object) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))

/** What is `undefined` counts as left out: a host that hands on what it may not have must not switch a limit off by it. */
const filledUp = (given: unknown): unknown => {
  if (given === undefined) return defaultOptions
  if (!isObject(given)) return given
  const all = { ...defaultOptions, ...ofGiven(given) }
  return isObject(all.rateLimits) ? { ...all, rateLimits: { ...defaultRateLimits, ...ofGiven(all.rateLimits) } } : all
}

/**
 * What a host gives, filled up with the defaults and checked: not every host is told by a compiler what an option takes.
 *
 * @throws RangeError naming each option that is wrong, and what it takes
 */
export const checkedOptions = (given?: GivenOptions): Options => {
  const all = filledUp(given)
  const { error } = options.safeParse(all)
  if (error === undefined) return all as Options
  const wrong = Object.entries(complaints(error)).map(([option, takes]) => `${option === 'body' ? 'options' : option} ${takes}`)
  throw new RangeError(wrong.join('; '))
}
