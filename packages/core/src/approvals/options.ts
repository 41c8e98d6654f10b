import type { ZodType } from 'zod'
import { minutes } from '../shared/clock.ts'
import { count, lifetime } from '../shared/option-schemas.ts'

/** Options of approvals. Times are in milliseconds. */
export interface ApprovalOptions {
  /** The time in which a confirmation can be approved. */
  readonly confirmationLifetime: number
  /** The most pending confirmations of one user (OWASP ASVS 6.6.4: push bombing). */
  readonly pendingConfirmationsPerUser: number
  /** The number of wrong signatures that rejects a confirmation. */
  readonly wrongSignaturesPerConfirmation: number
}

/** The options of a host that sets none. */
export const defaultApprovalOptions: ApprovalOptions = {
  confirmationLifetime: minutes(5),
  pendingConfirmationsPerUser: 100,
  wrongSignaturesPerConfirmation: 5,
}

/** Checks of the options. Each error message continues a sentence that begins with the option's name, and never shows the value. */
export const approvalOptionSchemas = {
  confirmationLifetime: lifetime,
  pendingConfirmationsPerUser: count,
  wrongSignaturesPerConfirmation: count,
} satisfies Record<keyof ApprovalOptions, ZodType>
