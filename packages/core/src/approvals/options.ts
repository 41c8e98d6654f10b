import * as z from 'zod'
import { days, hours, type Milliseconds, minutes } from '../shared/clock.ts'
import { count, flag, lifetime, nonEmptyText, type OptionValues, option, retention } from '../shared/option.ts'
import { type Gates, gatesSchema } from './gate-options.ts'
import type { GivenPolicy } from './records/action-policy.ts'
import { policiesSchema } from './records/approval-policies.ts'

export const approvalOptions = {
  /** The time in which a confirmation can be approved. */
  confirmationLifetime: lifetime(minutes(5)),
  /** The most pending confirmations of one user (OWASP ASVS 6.6.4: push bombing). Votes for approval requests do not count. */
  pendingConfirmationsPerUser: count(100),
  /** The most pending confirmations that one service has initiated for one user. */
  pendingConfirmationsPerService: count(5),
  /** The longest time from an approval to its use. A caller may ask for less, never for more. */
  approvalMaxAge: lifetime(minutes(10)),
  /** True if every approval needs the number that the asking page shows. Otherwise, a request can ask for that. */
  numberMatching: flag(false),
  /** The number of wrong signatures that rejects a confirmation. */
  wrongSignaturesPerConfirmation: count(5),
  /** The origins of the pages on which a passkey may approve what the page showed; by default, those of the relying party. */
  approverOrigins: option<readonly string[]>([], z.array(nonEmptyText, { error: 'must be a list of origins' })),
  /** The operations that need an approval of exactly what they do, and the type of the action to approve; none by default. */
  gates: option<Gates>({}, gatesSchema),
  /** The approvals that requests for an action type need, by type or `type@tenant`. A policy here comes before a stored one. */
  approvalPolicies: option<Readonly<Record<string, GivenPolicy>>>({}, policiesSchema),
  /** The time in which an approval request can be approved and redeemed. */
  approvalRequestLifetime: lifetime(hours(24)),
  /** The greatest number of open approval requests that one requester may have. */
  openApprovalRequestsPerUser: count(5),
  /** The most approval requests that one user starts in an hour, also withdrawn ones. Not with `rateLimits: 'off'`. */
  approvalStartsPerHour: count(40),
  /** The time for which approvals, redeemed requests, vouchings and removed devices are stored. Later there is no receipt. */
  approvalRetention: retention(days(3650)),
  /** The time for which rejected and expired confirmations and approval requests are stored. */
  refusalRetention: retention(days(365)),
}

export type ApprovalOptions = OptionValues<typeof approvalOptions>
/** Returns the longest time from the request for a confirmation until its approval is too old for every use. */
export const usableFor = (options: Pick<ApprovalOptions, 'confirmationLifetime' | 'approvalMaxAge'>): Milliseconds =>
  options.confirmationLifetime + options.approvalMaxAge
