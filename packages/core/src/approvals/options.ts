import type { ZodType } from 'zod'
import { minutes } from '../shared/clock.ts'
import { count, lifetime } from '../shared/option-schemas.ts'

/** Options of approvals. Times are in milliseconds. */
export interface ApprovalOptions {
  /** How long a confirmation can be approved. */
  readonly confirmationLifetime: number
  /** Unexpired pending confirmations a user may have (OWASP ASVS 6.6.4: push bombing). */
  readonly pendingConfirmationsPerUser: number
  /** Wrong signatures after which a confirmation is rejected. */
  readonly wrongSignaturesPerConfirmation: number
}

/** What holds where a host sets nothing else. */
export const defaultApprovalOptions: ApprovalOptions = {
  confirmationLifetime: minutes(5),
  pendingConfirmationsPerUser: 100,
  wrongSignaturesPerConfirmation: 5,
}

/** What each option takes, in a sentence that goes on after its name and never repeats a value. */
export const approvalOptionSchemas = {
  confirmationLifetime: lifetime,
  pendingConfirmationsPerUser: count,
  wrongSignaturesPerConfirmation: count,
} satisfies Record<keyof ApprovalOptions, ZodType>
