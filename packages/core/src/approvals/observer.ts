import { type Instant, timeBetween } from '../shared/clock.ts'
import type { Logger } from '../shared/logger.ts'
import type { Confirmation } from './records/confirmation.ts'

/** The outcomes of steps of a confirmation. */
export const confirmationOutcomes = [
  'initiated',
  'approved',
  'rejected',
  'withdrawn',
  'stopped',
  'wrong_signature',
  'wrong_number',
  'consumed',
] as const

export type ConfirmationOutcome = (typeof confirmationOutcomes)[number]

/** A step of a confirmation. Names neither the confirmation nor its user. */
export interface ConfirmationStep {
  readonly actionType: string
  readonly outcome: ConfirmationOutcome
  /** Milliseconds from the request to the decision of the user; only for the outcomes `approved` and `rejected`. */
  readonly decidedAfter?: number
}

/** Counts what happens, for metrics, except what only the clock, a lock or the end of a session did. */
export interface Observer {
  /** Is called with each step of a confirmation, once it is stored. Returns quickly: the request waits. */
  confirmation(step: ConfirmationStep): void
}

/** Returns the step in which a user decided. */
export const decisionOf = (
  { actionType, createdAt }: Pick<Confirmation, 'actionType' | 'createdAt'>,
  outcome: 'approved' | 'rejected',
  now: Instant,
): ConfirmationStep => ({ actionType, outcome, decidedAfter: timeBetween(createdAt, now) })

/** Makes an observer whose failures are logged and stop nothing: the step is already stored. */
export const harmlessObserver = (observer: Observer | undefined, logger: Logger): Observer => ({
  confirmation: (step) => {
    try {
      observer?.confirmation(step)
    } catch (error) {
      logger.warn('observer_failed', { reason: error instanceof Error ? error.name : 'unknown' })
    }
  },
})
