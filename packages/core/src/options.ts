import type { UserVerificationRequirement } from '@countersign/contract'
import type { RelyingParty } from './identity/passkeys/relying-party.ts'
import { defaultRateLimits, type RateLimits } from './identity/rate-limits/limits.ts'
import type { RateLimit } from './identity/rate-limits/store.ts'
import { defaultUniqueCode } from './projects/projects/project.ts'
import { days, hours, minutes, seconds } from './shared/clock.ts'

/**
 * What a host can change. Times are whole milliseconds, from a second to 100 years; numbers of things are whole, and at least 1.
 */
export interface Options {
  /** `iss` and `aud` of every token; at most 255 bytes as JSON writes it, so that tokens have room for their users. */
  readonly issuer: string
  /** How long a registration or login challenge can be signed. */
  readonly challengeLifetime: number
  /** How long a confirmation can be approved. */
  readonly confirmationLifetime: number
  readonly accessTokenLifetime: number
  readonly biometricAccessTokenLifetime: number
  /** Standard refresh tokens: each rotation gives this much again … */
  readonly refreshTokenLifetime: number
  /** … but never past this long after the login; `rememberMe` gives it all from the start. */
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
   * finds by itself can log in, so each registration demands one, and decoys are not needed.
   */
  readonly passkeyLists: 'on' | 'off'
  /** The least that every ceremony of a passkey asks for; what a request asks beyond it is asked for as well. */
  readonly leastUserVerification: UserVerificationRequirement
  /** Unexpired pending confirmations a user may have (OWASP ASVS 6.6.4: push bombing). */
  readonly pendingConfirmationsPerUser: number
  /** Wrong signatures after which a confirmation is rejected. */
  readonly wrongSignaturesPerConfirmation: number
  /**
   * Makes the code of a new project from the year and the next number of that year. Must never make the same twice. 1 to 255
   * characters without slash, backslash and control characters, and not `.` or `..`: it is a segment of paths.
   */
  readonly projectCode: (next: { readonly year: number; readonly number: number }) => string
  /**
   * The status values that projects may be given beside `pending` and `approved`, which are always allowed, or `any` that the
   * contract takes. A project keeps a status that is on the list no more.
   */
  readonly projectStatuses: readonly string[] | 'any'
  /**
   * Emails whose users are let in nowhere, as if they were disabled: for those that must not count in this deployment, such as
   * a demo user. They can still be listed and changed.
   */
  readonly refusedEmails: readonly string[]
  /**
   * Limits by category, or `off`, which also stops the waiting after failed logins. A category that is left out is limited as
   * in `defaultRateLimits`.
   */
  readonly rateLimits: RateLimits | 'off'
}

/**
 * Options as a host gives them: any may be left out, or `undefined`, and then is as in `defaultOptions`; so may each category
 * of limits.
 */
export type GivenOptions = {
  readonly [Name in keyof Options]?:
    | (Name extends 'rateLimits' ? 'off' | { readonly [Category in keyof RateLimits]?: RateLimit | undefined } : Options[Name])
    | undefined
}

/** What holds where a host sets nothing else. All times in milliseconds. */
export const defaultOptions: Options = {
  issuer: 'countersign',
  challengeLifetime: seconds(120),
  confirmationLifetime: minutes(5),
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
  pendingConfirmationsPerUser: 100,
  wrongSignaturesPerConfirmation: 5,
  projectCode: defaultUniqueCode,
  projectStatuses: 'any',
  refusedEmails: [],
  rateLimits: defaultRateLimits,
}
