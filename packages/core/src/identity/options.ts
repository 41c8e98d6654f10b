import { optionalRateLimitCategories, rateLimitCategories, userVerificationRequirements } from '@countersign/contract'
import * as z from 'zod'
import { days, hours, minutes, seconds } from '../shared/clock.ts'
import {
  callback,
  choice,
  count,
  duration,
  flag,
  lifetime,
  nonEmptyText,
  type OptionValues,
  option,
  orWord,
  retention,
  shortTime,
} from '../shared/option.ts'
import { defaultRateLimits, type RateLimits } from './rate-limits/limits.ts'
import { LONGEST_ISSUER } from './records/token-room.ts'

/** The values of `identityOptions.enrolment`, from the least to the most strict. */
export const enrolments = ['open', 'fresh', 'vouched'] as const

/**
 * The policy for new devices and passkeys. `open`: trusted immediately. `fresh`: trusted immediately in a fresh session.
 * `vouched`: the same, but a second device waits until a trusted device vouches for it.
 */
export type Enrolment = (typeof enrolments)[number]

// The length excludes the quotes of the JSON string.
const issuer = nonEmptyText.refine((text) => Buffer.byteLength(JSON.stringify(text)) - 2 <= LONGEST_ISSUER, {
  error: `must be at most ${LONGEST_ISSUER} bytes`,
})

const relyingPartyTakes = 'must have an id and a name, each a text, and origins, a list of texts'

/** Returns whether a value is a relying party. A getter of `origins` is not called: it may work only once a server listens. */
const isRelyingParty = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null || !('origins' in value)) return false
  const told = Object.getOwnPropertyDescriptor(value, 'origins')
  const origins = told !== undefined && 'value' in told && { origins: z.array(nonEmptyText) }
  return z.object({ id: nonEmptyText, name: nonEmptyText, ...origins }).safeParse(value).success
}

const rateLimitTakes = 'must be a limit, as perMinute makes it'
const limitCount = count(1).schema
const limitTime = duration(1).schema
const rateLimit = z.object(
  { burst: limitCount, refillMs: limitTime, windowMax: limitCount, windowMs: limitTime },
  { error: rateLimitTakes },
)

const limitsBy = <C extends string, S extends z.ZodType>(categories: readonly C[], limit: S) =>
  Object.fromEntries(categories.map((category) => [category, limit])) as Record<C, S>

const rateLimits = z.strictObject(
  { ...limitsBy(rateLimitCategories, rateLimit), ...limitsBy(optionalRateLimitCategories, rateLimit.optional()) },
  { error: `must be off, or limits by category: ${[...rateLimitCategories, ...optionalRateLimitCategories].join(', ')}` },
)

/** The declaration of each option. */
export const identityOptions = {
  /** The `iss` and `aud` claims of every token; at most 255 bytes as JSON, so that tokens have room for user data. */
  issuer: option('countersign', issuer),
  /** The lifetime of a registration or login challenge. */
  challengeLifetime: lifetime(seconds(120)),
  accessTokenLifetime: lifetime(hours(8)),
  biometricAccessTokenLifetime: lifetime(minutes(15)),
  /** Lifetime of a standard refresh token. Each rotation issues a token with this lifetime, up to `sessionLifetime`. */
  refreshTokenLifetime: lifetime(days(3)),
  /**
   * Lifetime of a standard session, counted from the login. With `rememberMe`, every refresh token lasts until the end of the
   * session.
   */
  sessionLifetime: lifetime(days(30)),
  biometricRefreshTokenLifetime: lifetime(days(30)),
  /**
   * Time after a rotation in which the previous refresh token still returns its successor, if the successor is unused. Covers a
   * lost response to a client that sends no `renewalKey`. 0 (off) to 30 seconds.
   */
  refreshLeeway: shortTime(0, seconds(30)),
  /** The time after a refresh in which the same `renewalKey` gets the same answer again. 0 (off) to 5 minutes. */
  renewalWindow: shortTime(minutes(1), minutes(5)),
  /**
   * The maximum number of live sessions of a user, at least 2: a phone and the page that asks for its approval. A further login
   * ends the least recently used one (see `SessionStore.open`).
   */
  sessionsPerUser: count(200, 2),
  /** The maximum number of active devices of a user. */
  devicesPerUser: count(20),
  /** The rule that decides when a new device or passkey is trusted; see `initialTrust`. */
  enrolment: choice(enrolments, 'fresh'),
  /** The time after its opening in which a session is fresh (see `isFresh`). */
  freshSessionAge: lifetime(minutes(10)),
  /** The probation of a first device that an older session registered. */
  coolingOff: lifetime(hours(12)),
  /** The time after the removal of a trusted device in which the user still counts as having a trusted device. */
  trustedDeviceMemory: lifetime(days(7)),
  /**
   * With `enrolment: vouched`, the way in which the first device of an older session becomes trusted: after the cooling-off, or
   * only by an enrolment code or an admin.
   */
  firstDeviceOfOlderSession: choice(['cooling_off', 'code_or_admin'], 'cooling_off'),
  /**
   * The time for which an account is marked after a forgotten password (see `MailboxMark`): no session that was opened by password
   * is fresh, and no cooling-off ends. For a user who had a trusted device or passkey, the mark does not end by waiting.
   */
  mailboxMark: lifetime(days(7)),
  /** With `code`, a first device that is registered under the mark waits for an administrator's code, and does not cool off. */
  forgotEnrolment: choice(['cooling-off', 'code'], 'cooling-off'),
  /** The relying party for which browsers create and use passkeys. */
  relyingParty: option<RelyingParty>(
    { id: 'localhost', name: 'Countersign', origins: ['http://localhost:4000'] },
    z.custom(isRelyingParty, { error: relyingPartyTakes }),
  ),
  /** The maximum number of passkeys of a user. */
  passkeysPerUser: count(20),
  /**
   * With `true`, a passkey login with an email lists the passkeys of the user. With `false`, only discoverable passkeys can log in,
   * every registration requires a discoverable passkey, and no decoys are needed.
   */
  passkeyLists: flag(true),
  /**
   * True if a trusted passkey that verifies its user approves, as a device does. Then a trusted passkey also counts as a trusted
   * device when a new device or passkey is registered (see `initialTrust`).
   */
  passkeyApprovals: flag(false),
  /**
   * With `always`, a device that the approver registered approves nothing by its key alone: its person approves with a trusted
   * passkey that verifies its user, so `passkeyApprovals` must be on. The device still rejects, stops, and vouches for a passkey.
   */
  approverVerification: choice(['never', 'always'], 'never'),
  /** The minimum user verification of every passkey ceremony. A request can ask for more. */
  leastUserVerification: choice(userVerificationRequirements, 'discouraged'),
  /** Emails of users who cannot log in, for example a demo user in production. These users can still be listed and changed. */
  refusedEmails: option<readonly string[]>([], z.array(nonEmptyText, { error: 'must be a list of emails' })),
  /** The check of new passwords that the host adds; none by default. */
  checkPassword: callback<CheckPassword>(() => undefined),
  /**
   * Limits by category, or `off`. `off` also disables the delay after failed logins. A missing category has its limit from
   * `defaultRateLimits`.
   */
  rateLimits: option<RateLimits | 'off'>(defaultRateLimits, orWord('off', rateLimits)),
  /** The time for which expired service tokens are stored. */
  serviceTokenRetention: retention(days(365)),
}

/** Options of identity. */
export type IdentityOptions = OptionValues<typeof identityOptions>

/** The relying party of passkeys (WebAuthn Level 3 §5.4.2). */
export interface RelyingParty {
  /** The domain of the passkeys. Passkeys are bound to the domain permanently: after a change, none of them works. */
  readonly id: string
  /** The name that browsers show when a passkey is created. */
  readonly name: string
  /** The origins of the pages and apps that may use passkeys. Read at the end of every ceremony. */
  readonly origins: readonly string[]
}

/** The user who gets a new password. */
export interface PasswordUser {
  readonly email: string
}

/**
 * A check of new passwords by the host. Gets the password in its NFKC form. Returns why the password is refused, as a text that
 * continues a sentence about the password, such as `must not be one of our own examples`; otherwise `undefined`.
 */
export type CheckPassword = (password: string, user: PasswordUser) => string | undefined | Promise<string | undefined>
