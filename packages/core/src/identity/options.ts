import {
  optionalRateLimitCategories,
  rateLimitCategories,
  type UserVerificationRequirement,
  userVerificationRequirements,
} from '@countersign/contract'
import * as z from 'zod'
import { days, hours, minutes, seconds } from '../shared/clock.ts'
import { count, duration, lifetime, nonEmptyText, orWord } from '../shared/option-schemas.ts'
import type { RelyingParty } from './passkeys/relying-party.ts'
import { defaultRateLimits, type RateLimits } from './rate-limits/limits.ts'
import { LONGEST_ISSUER } from './tokens/token-room.ts'

/** Options of identity. Times are in milliseconds. */
export interface IdentityOptions {
  /** `iss` and `aud` of every token; at most 255 bytes as JSON writes it, so that tokens have room for their users. */
  readonly issuer: string
  /** How long a registration or login challenge can be signed. */
  readonly challengeLifetime: number
  readonly accessTokenLifetime: number
  readonly biometricAccessTokenLifetime: number
  /** Standard refresh tokens: each rotation extends the session by this much … */
  readonly refreshTokenLifetime: number
  /** … but never past this long after the login. With `rememberMe`, the session has all of it from the start. */
  readonly sessionLifetime: number
  readonly biometricRefreshTokenLifetime: number
  /**
   * Within this long after a rotation, a spent refresh token whose successor is unused is answered with that very
   * successor (a lost answer, two tabs). 0 switches it off; at most 30 seconds.
   */
  readonly refreshLeeway: number
  /** Active devices a user may have. */
  readonly devicesPerUser: number
  /** Who browsers create passkeys for, and sign in to. */
  readonly relyingParty: RelyingParty
  /** Passkeys a user may have. */
  readonly passkeysPerUser: number
  /**
   * Whether a login by passkey that begins with an email lists the user's passkeys. Without lists only passkeys that a browser
   * finds by itself can log in, so each registration demands such a passkey, and decoys are not needed.
   */
  readonly passkeyLists: 'on' | 'off'
  /** The least user verification that every passkey ceremony asks for. A request can ask for more. */
  readonly leastUserVerification: UserVerificationRequirement
  /**
   * Emails whose users cannot log in, as if they were disabled: for users that must not count in this deployment, such as
   * a demo user. They can still be listed and changed.
   */
  readonly refusedEmails: readonly string[]
  /**
   * Limits by category, or `off`, which also stops the waiting after failed logins. A category that is left out is limited as
   * in `defaultRateLimits`.
   */
  readonly rateLimits: RateLimits | 'off'
}

/** What holds where a host sets nothing else. */
export const defaultIdentityOptions: IdentityOptions = {
  issuer: 'countersign',
  challengeLifetime: seconds(120),
  accessTokenLifetime: hours(8),
  biometricAccessTokenLifetime: minutes(15),
  refreshTokenLifetime: days(3),
  sessionLifetime: days(30),
  biometricRefreshTokenLifetime: days(30),
  refreshLeeway: 0,
  devicesPerUser: 20,
  relyingParty: { id: 'localhost', name: 'Countersign', origins: ['http://localhost:4000'] },
  passkeysPerUser: 20,
  passkeyLists: 'on',
  leastUserVerification: 'discouraged',
  refusedEmails: [],
  rateLimits: defaultRateLimits,
}

const LONGEST_LEEWAY = seconds(30)
const leewayTakes = 'must be 0 to 30 seconds'
const leeway = z.int({ error: leewayTakes }).min(0, { error: leewayTakes }).max(LONGEST_LEEWAY, { error: leewayTakes })

// The length counts without the quotes of JSON.
const issuer = nonEmptyText.refine((text) => Buffer.byteLength(JSON.stringify(text)) - 2 <= LONGEST_ISSUER, {
  error: `must be at most ${LONGEST_ISSUER} bytes`,
})

const relyingPartyTakes = 'must have an id and a name, each a text, and origins, a list of texts'

/** Whether a value is a relying party. Origins behind a getter are not read: a server may know them only once it listens. */
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

/** What each option takes, in a sentence that goes on after its name and never repeats a value. */
export const identityOptionSchemas = {
  issuer,
  challengeLifetime: lifetime,
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
  refusedEmails: z.array(nonEmptyText, { error: 'must be a list of emails' }),
  rateLimits: orWord('off', rateLimits),
} satisfies Record<keyof IdentityOptions, z.ZodType>
