import { usableFor } from './approvals/options.ts'
import type { Options } from './options.ts'
import { type Instant, minutes } from './shared/clock.ts'
import type { Retention } from './shared/option.ts'

/**
 * The sweep keeps every row this much longer than its rule says. So a server whose clock is ahead by less deletes nothing that
 * is still live on another server.
 */
export const SWEEP_MARGIN = minutes(15)

/** The kinds of rows that a sweep deletes. */
export const sweptKinds = [
  'challenges',
  'oneTimeCodes',
  'userHandles',
  'delegations',
  'sessions',
  'loginFailures',
  'rateLimits',
  'serviceTokens',
  'confirmations',
  'approvalRequests',
  'vouchings',
  'removedDevices',
  'removedPasskeys',
  'unfinishedImports',
  'removedProjects',
  'changes',
] as const

export type SweptKind = (typeof sweptKinds)[number]

/** The number of rows of each kind. A kind without rows is missing. */
export type SweptRows = Readonly<Partial<Record<SweptKind, number>>>

/** Receives the number of rows that a sweep has just deleted. An error that it throws ends the sweep. */
export type OnSwept = (kind: SweptKind, rows: number) => void

/**
 * The kinds of finished records with a retention of their own:
 *
 * - `approvals`: approved confirmations, redeemed approval requests, vouchings, removed devices with the proof of their keys, and
 *   the keys of removed passkeys
 * - `refusals`: confirmations and approval requests that were rejected or expired
 * - `serviceTokens`: expired service tokens
 * - `removedProjects`: removed projects with everything that belongs to them
 */
export type RetainedKind = 'approvals' | 'refusals' | 'serviceTokens' | 'removedProjects'

/** For each kind, the time before which finished records are deleted. Records of a missing kind stay. */
export type RetentionLimits = Readonly<Partial<Record<RetainedKind, Instant>>>

/** The times that bound a sweep. */
export interface SweepLimits extends RetentionLimits {
  /**
   * Every access token that was issued before this time has expired. So if a session has no later token, its deletion is not
   * announced. If the time is missing, the deletion of every session is announced.
   */
  readonly liveTokensSince?: Instant
}

const limit = (kind: RetainedKind, kept: Retention, now: Instant): RetentionLimits =>
  kept === 'forever' ? {} : { [kind]: now - kept }

/**
 * Returns how long approvals are kept. An approval is kept at least while it can be consumed, and a removed device at least as long
 * as it counts as a trusted device of its user. So the time can be longer than the option `approvalRetention`.
 */
export const approvalsKeptFor = (
  options: Pick<Options, 'approvalRetention' | 'trustedDeviceMemory' | 'confirmationLifetime' | 'approvalMaxAge'>,
): Retention => {
  const { approvalRetention, trustedDeviceMemory } = options
  return approvalRetention === 'forever'
    ? approvalRetention
    : Math.max(approvalRetention, trustedDeviceMemory, usableFor(options))
}

/** Returns the limits at `now`. */
export const retentionLimits = (options: Options, now: Instant): RetentionLimits => ({
  ...limit('approvals', approvalsKeptFor(options), now),
  ...limit('refusals', options.refusalRetention, now),
  ...limit('serviceTokens', options.serviceTokenRetention, now),
  ...limit('removedProjects', options.removedProjectRetention, now),
})

/**
 * Returns the limits of a sweep at `now`. A repeated refresh issues tokens for an earlier rotation. All hosts of a database
 * have the same lifetimes.
 */
export const sweepLimits = (options: Options, now: Instant): SweepLimits => {
  const { accessTokenLifetime, biometricAccessTokenLifetime, refreshLeeway, renewalWindow } = options
  const longest = Math.max(accessTokenLifetime, biometricAccessTokenLifetime) + Math.max(refreshLeeway, renewalWindow)
  return { ...retentionLimits(options, now), liveTokensSince: now - longest }
}
