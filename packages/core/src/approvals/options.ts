import * as z from 'zod'
import { days, hours, minutes } from '../shared/clock.ts'
import { count, lifetime } from '../shared/option-schemas.ts'
import { type Retention, retentionSchema } from '../shared/retention.ts'
import { type Gates, gatesSchema } from './gates/gates.ts'
import { type ActionPolicy, policiesSchema } from './policies/action-policy.ts'

/** Options of approvals. Times are in milliseconds. */
export interface ApprovalOptions {
  /** The time in which a confirmation can be approved. */
  readonly confirmationLifetime: number
  /**
   * The most pending confirmations of one user (OWASP ASVS 6.6.4: push bombing). Confirmations of approval requests do not count,
   * but the list of pending confirmations has at most as many of them.
   */
  readonly pendingConfirmationsPerUser: number
  /** The most pending confirmations that one service has initiated for one user. */
  readonly pendingConfirmationsPerService: number
  /** The longest time from an approval to its consumption. A caller may ask for less, never for more. */
  readonly approvalMaxAge: number
  /**
   * `on`: an approval always needs the number that the asking page shows. `off`: an approval needs the number only where the
   * request asks for that.
   */
  readonly numberMatching: 'on' | 'off'
  /** The number of wrong signatures that rejects a confirmation. */
  readonly wrongSignaturesPerConfirmation: number
  /** The operations that need an approval of exactly what they do, and the type of the action to approve; none by default. */
  readonly gates: Gates
  /**
   * The approvals that requests for an action type need; none by default. A policy here comes before the stored policy of the
   * type (`countersign action policy`).
   */
  readonly approvalPolicies: Readonly<Record<string, ActionPolicy>>
  /** The time in which an approval request can be approved and redeemed. */
  readonly approvalRequestLifetime: number
  /** The greatest number of open approval requests that one requester may have. */
  readonly openApprovalRequestsPerUser: number
  /**
   * How long approved confirmations, redeemed approval requests, vouchings and removed devices are kept. Later no receipt can be
   * issued.
   */
  readonly approvalRetention: Retention
  /** How long rejected and expired confirmations and approval requests are kept. */
  readonly refusalRetention: Retention
}

/** The options of a host that sets none. */
export const defaultApprovalOptions: ApprovalOptions = {
  confirmationLifetime: minutes(5),
  pendingConfirmationsPerUser: 100,
  pendingConfirmationsPerService: 5,
  approvalMaxAge: minutes(10),
  numberMatching: 'off',
  wrongSignaturesPerConfirmation: 5,
  gates: {},
  approvalPolicies: {},
  approvalRequestLifetime: hours(24),
  openApprovalRequestsPerUser: 5,
  approvalRetention: days(3650),
  refusalRetention: days(365),
}

/** Checks of the options. Each error message continues a sentence that begins with the option's name, and never shows the value. */
export const approvalOptionSchemas = {
  confirmationLifetime: lifetime,
  pendingConfirmationsPerUser: count,
  pendingConfirmationsPerService: count,
  approvalMaxAge: lifetime,
  numberMatching: z.enum(['on', 'off'], { error: 'must be on or off' }),
  wrongSignaturesPerConfirmation: count,
  gates: gatesSchema,
  approvalPolicies: policiesSchema,
  approvalRequestLifetime: lifetime,
  openApprovalRequestsPerUser: count,
  approvalRetention: retentionSchema,
  refusalRetention: retentionSchema,
} satisfies Record<keyof ApprovalOptions, z.ZodType>
