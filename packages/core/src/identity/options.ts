import {
  optionalRateLimitCategories,
  rateLimitCategories,
  type UserVerificationRequirement,
  userVerificationRequirements,
} from '@countersign/contract'
import * as z from 'zod'
import { days, hours, minutes, seconds } from '../shared/clock.ts'
import { count, countFrom, duration, lifetime, nonEmptyText, orWord } from '../shared/option-schemas.ts'
import { type Retention, retentionSchema } from '../shared/retention.ts'
import type { RelyingParty } from './passkeys/relying-party.ts'
import type { CheckPassword } from './passwords/check-password.ts'
import { defaultRateLimits, type RateLimits } from './rate-limits/limits.ts'
import { LONGEST_ISSUER } from './tokens/token-room.ts'

/** The values of `IdentityOptions.enrolment`, from the least to the most strict. */
export const enrolments = ['open', 'fresh', 'vouched'] as const

/**
 * The policy for new devices and passkeys. `open`: trusted immediately. `fresh`: trusted immediately in a fresh session.
 * `vouched`: the same, but a second device waits until a trusted device vouches for it.
 */
export type Enrolment = (typeof enrolments)[number]

/** Options of identity. Times are in milliseconds. */
export interface IdentityOptions {
  /** The `iss` and `aud` claims of every token; at most 255 bytes as JSON, so that tokens have room for user data. */
  readonly issuer: string
  /** The lifetime of a registration or login challenge. */
  readonly challengeLifetime: number
  readonly accessTokenLifetime: number
  readonly biometricAccessTokenLifetime: number
  /** Lifetime of a standard refresh token. Each rotation issues a token with this lifetime, up to `sessionLifetime`. */
  readonly refreshTokenLifetime: number
  /**
   * Lifetime of a standard session, counted from the login. With `rememberMe`, every refresh token lasts until the end of the
   * session.
   */
  readonly sessionLifetime: number
  readonly biometricRefreshTokenLifetime: number
  /**
   * Time after a rotation in which the previous refresh token still returns its successor, if the successor is unused. Covers a
   * lost response and two open tabs. 0 (off) to 30 seconds.
   */
  readonly refreshLeeway: number
  /**
   * The time after a refresh in which the client that sent a `renewalKey` with it gets the same answer again. 0 (off) to 5
   * minutes.
   */
  readonly renewalWindow: number
  /**
   * The maximum number of live sessions of a user, at least 2: a phone and the page that asks for its approval. A further login
   * ends the least recently used one (see `SessionStore.open`).
   */
  readonly sessionsPerUser: number
  /** The maximum number of active devices of a user. */
  readonly devicesPerUser: number
  /** When a new device or passkey is trusted; see `initialTrust`. */
  readonly enrolment: Enrolment
  /** The time after its opening in which a session is fresh (see `isFresh`). */
  readonly freshSessionAge: number
  /** The probation of a first device that an older session registered. */
  readonly coolingOff: number
  /** The time after the removal of a trusted device in which the user still counts as having a trusted device. */
  readonly trustedDeviceMemory: number
  /**
   * With `enrolment: vouched`, the way in which the first device of an older session becomes trusted: after the cooling-off, or
   * only by an enrolment code or an admin.
   */
  readonly firstDeviceOfOlderSession: 'cooling_off' | 'code_or_admin'
  /** The relying party for which browsers create and use passkeys. */
  readonly relyingParty: RelyingParty
  /** The maximum number of passkeys of a user. */
  readonly passkeysPerUser: number
  /**
   * `on`: a passkey login with an email lists the passkeys of the user. `off`: only discoverable passkeys can log in, every
   * registration requires a discoverable passkey, and no decoys are needed.
   */
  readonly passkeyLists: 'on' | 'off'
  /** The minimum user verification of every passkey ceremony. A request can ask for more. */
  readonly leastUserVerification: UserVerificationRequirement
  /**
   * Emails of users who cannot log in, as if they were disabled: for example a demo user in production. These users can still
   * be listed and changed.
   */
  readonly refusedEmails: readonly string[]
  /** The check of new passwords that the host adds; none by default. */
  readonly checkPassword: CheckPassword
  /**
   * Limits by category, or `off`. `off` also disables the delay after failed logins. A missing category has its limit from
   * `defaultRateLimits`.
   */
  readonly rateLimits: RateLimits | 'off'
  /** How long expired service tokens are kept. */
  readonly serviceTokenRetention: Retention
}

/** The default of each option. */
export const defaultIdentityOptions: IdentityOptions = {
  issuer: 'countersign',
  challengeLifetime: seconds(120),
  accessTokenLifetime: hours(8),
  biometricAccessTokenLifetime: minutes(15),
  refreshTokenLifetime: days(3),
  sessionLifetime: days(30),
  biometricRefreshTokenLifetime: days(30),
  refreshLeeway: 0,
  renewalWindow: minutes(1),
  sessionsPerUser: 200,
  devicesPerUser: 20,
  enrolment: 'fresh',
  freshSessionAge: minutes(10),
  coolingOff: hours(12),
  trustedDeviceMemory: days(7),
  firstDeviceOfOlderSession: 'cooling_off',
  relyingParty: { id: 'localhost', name: 'Countersign', origins: ['http://localhost:4000'] },
  passkeysPerUser: 20,
  passkeyLists: 'on',
  leastUserVerification: 'discouraged',
  refusedEmails: [],
  checkPassword: () => undefined,
  rateLimits: defaultRateLimits,
  serviceTokenRetention: days(365),
}

const LONGEST_LEEWAY = seconds(30)
const leewayTakes = 'must be 0 to 30 seconds'
const leeway = z.int({ error: leewayTakes }).min(0, { error: leewayTakes }).max(LONGEST_LEEWAY, { error: leewayTakes })

const LONGEST_RENEWAL_WINDOW = minutes(5)
const windowTakes = 'must be 0 to 300 seconds'
const renewalWindow = z
  .int({ error: windowTakes })
  .min(0, { error: windowTakes })
  .max(LONGEST_RENEWAL_WINDOW, { error: windowTakes })

// The length excludes the quotes of the JSON string.
const issuer = nonEmptyText.refine((text) => Buffer.byteLength(JSON.stringify(text)) - 2 <= LONGEST_ISSUER, {
  error: `must be at most ${LONGEST_ISSUER} bytes`,
})

const relyingPartyTakes = 'must have an id and a name, each a text, and origins, a list of texts'

/**
 * Returns whether a value is a relying party. A getter of `origins` is not called: a server may know its origins only once it
 * listens.
 */
const isRelyingParty = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null || !('origins' in value)) return false
  const told = Object.getOwnPropertyDescriptor(value, 'origins')
  const origins = told !== undefined && 'value' in told && { origins: z.array(nonEmptyText) }
  return z.object({ id: nonEmptyText, name: nonEmptyText, ...origins }).safeParse(value).success
}

const rateLimitTakes = 'must be a limit, as perMinute makes it'
const rateLimit = z.object({ burst: count, refillMs: duration, windowMax: count, windowMs: duration }, { error: rateLimitTakes })

const limitsBy = <C extends string, S extends z.ZodType>(categories: readonly C[], limit: S) =>
  Object.fromEntries(categories.map((category) => [category, limit])) as Record<C, S>

const rateLimits = z.strictObject(
  { ...limitsBy(rateLimitCategories, rateLimit), ...limitsBy(optionalRateLimitCategories, rateLimit.optional()) },
  { error: `must be off, or limits by category: ${[...rateLimitCategories, ...optionalRateLimitCategories].join(', ')}` },
)

/**
 * The schema of each option. An error message continues a sentence that begins with the name of the option, and never repeats a
 * value.
 */
export const identityOptionSchemas = {
  issuer,
  challengeLifetime: lifetime,
  accessTokenLifetime: lifetime,
  biometricAccessTokenLifetime: lifetime,
  refreshTokenLifetime: lifetime,
  sessionLifetime: lifetime,
  biometricRefreshTokenLifetime: lifetime,
  refreshLeeway: leeway,
  renewalWindow,
  sessionsPerUser: countFrom(2),
  devicesPerUser: count,
  enrolment: z.enum(enrolments, { error: `must be one of ${enrolments.join(', ')}` }),
  freshSessionAge: lifetime,
  coolingOff: lifetime,
  trustedDeviceMemory: lifetime,
  firstDeviceOfOlderSession: z.enum(['cooling_off', 'code_or_admin'], { error: 'must be cooling_off or code_or_admin' }),
  relyingParty: z.custom(isRelyingParty, { error: relyingPartyTakes }),
  passkeysPerUser: count,
  passkeyLists: z.enum(['on', 'off'], { error: 'must be on or off' }),
  leastUserVerification: z.enum(userVerificationRequirements, {
    error: `must be one of ${userVerificationRequirements.join(', ')}`,
  }),
  refusedEmails: z.array(nonEmptyText, { error: 'must be a list of emails' }),
  checkPassword: z.custom((value) => typeof value === 'function', { error: 'must be a function' }),
  rateLimits: orWord('off', rateLimits),
  serviceTokenRetention: retentionSchema,
} satisfies Record<keyof IdentityOptions, z.ZodType>
