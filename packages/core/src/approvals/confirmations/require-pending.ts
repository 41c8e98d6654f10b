import { type BoundCaller, boundOfCaller } from '../../identity/sessions/bound-of-caller.ts'
import type { Instant } from '../../shared/clock.ts'
import type { ApprovalStorage } from '../deps.ts'
import { type Confirmation, reachesConfirmation, statusAt } from '../records/confirmation.ts'
import { ConfirmationExpired, ConfirmationNotFound, ConfirmationUsed } from './errors.ts'

/** Returns a confirmation of the caller that the session reaches. @throws ConfirmationNotFound */
export const confirmationOfCaller = async (
  { storage }: ApprovalStorage,
  caller: BoundCaller,
  id: string,
): Promise<Confirmation> => {
  const confirmation = await storage.confirmations.byId(id)
  const tenants = await boundOfCaller({ storage }, caller)
  const isKnown = confirmation?.userId === caller.userId && reachesConfirmation(tenants, confirmation)
  if (!isKnown) throw new ConfirmationNotFound()
  return confirmation
}

/** Checks that nobody has decided a confirmation. @throws ConfirmationExpired, ConfirmationUsed */
export const stillPending = (confirmation: Confirmation, now: Instant): void => {
  const status = statusAt(confirmation, now)
  if (status === 'expired') throw new ConfirmationExpired()
  if (status !== 'pending') throw new ConfirmationUsed()
}

/**
 * Returns the confirmation of a caller if it is pending. Called before a confirmation is settled, and again after a lost race, to
 * throw the error of the current status. @throws ConfirmationNotFound, ConfirmationExpired, ConfirmationUsed
 */
export const requirePending = async (
  { storage }: ApprovalStorage,
  caller: BoundCaller,
  id: string,
  now: Instant,
): Promise<Confirmation> => {
  const confirmation = await confirmationOfCaller({ storage }, caller, id)
  stillPending(confirmation, now)
  return confirmation
}
