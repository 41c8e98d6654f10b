import { needsPasskey } from '../../identity/trust/needs-passkey.ts'
import { type Instant, timeBetween } from '../../shared/clock.ts'
import { ConfirmationNotFound } from '../confirmations/errors.ts'
import { confirmationFields } from '../confirmations/sealed-fields.ts'
import { trustOf } from '../confirmations/signatures/signers.ts'
import { storedStatementOf } from '../confirmations/statement.ts'
import { type Confirmation, statusAt } from '../records/confirmation.ts'
import type { UncountedReason } from '../requests/errors.ts'
import { whySignatureDoesNotCount, whyUserDoesNotCount } from '../requests/why-uncounted.ts'
import { ActionMismatch, ConfirmationConsumed, ConfirmationNotApproved, ConfirmationTooOld } from './errors.ts'
import { isSameAction } from './same-action.ts'
import type { ChosenConfirmation, CountedVotes, Subject, UseDeps, Wanted } from './subject.ts'

/**
 * Loads the confirmation of a user as a subject with one vote.
 * @throws ConfirmationNotFound, ActionMismatch, ConfirmationConsumed, ConfirmationTooOld
 * @throws ConfirmationNotApproved also for a voided approval, a vouching, a vote, a disabled or locked user, and a signer that does
 *   not count now
 */
export const loadConfirmation = async (
  deps: UseDeps,
  { userId, confirmationId: id, maxAge }: ChosenConfirmation,
  { action }: Wanted,
): Promise<Subject> => {
  const { storage, users, options, clock } = deps
  // Brings the row of the user up to date, because the statement that stores the use reads the row.
  if (users.areKeptByHost) await users.byId(userId)
  const confirmation = await storage.confirmations.byId(id)
  if (confirmation?.userId !== userId) throw new ConfirmationNotFound()
  const { consumedAt, consumedBy, consumedKey, evidence } = confirmation
  // A longer `maxAge` than the option of the host has no effect.
  const longestAge = Math.min(maxAge ?? options.approvalMaxAge, options.approvalMaxAge)

  const requireApproved = async (now: Instant): Promise<void> => {
    if (!isApproved(deps, confirmation, now) || (await isTooWeak(deps, confirmation)))
      throw await notApproved(deps, confirmation, now)
    requireSameAction(deps, confirmation, action)
  }
  const count = async (now: Instant): Promise<CountedVotes> => {
    await requireApproved(now)
    // Approvals from versions that stored no evidence have no time. They count as older than any limit.
    if (evidence === null || timeBetween(evidence.approvedAt, now) > longestAge) throw new ConfirmationTooOld()
    return {
      votes: [confirmation],
      storeUse: ({ receipts, ...use }) => {
        const receipt = receipts.get(id) ?? null
        return storage.approvals.use({ ...use, confirmationId: id, userId, receipt, approvedSince: now - longestAge })
      },
    }
  }
  return {
    actionType: confirmation.actionType,
    answer: { id, count: 1, expiresAt: confirmation.expiresAt },
    used: consumedAt === null ? undefined : { at: consumedAt, by: consumedBy, key: consumedKey },
    refusals: { used: () => new ConfirmationConsumed(), notApproved: () => notApproved(deps, confirmation, clock.now()) },
    requireSame: () => requireApproved(clock.now()),
    usedVotes: async () => [confirmation],
    count,
  }
}

/** Returns whether a confirmation is the approval of its user alone. A vote for a request counts only with the others. */
const isApproved = ({ options }: Pick<UseDeps, 'options'>, confirmation: Confirmation, now: Instant): boolean => {
  const { approvalId, voidedAt, passkeyId } = confirmation
  if (statusAt(confirmation, now) !== 'approved' || approvalId !== null || voidedAt !== null) return false
  return passkeyId === null || options.passkeyApprovals
}

/** Returns whether the key of a device approved alone where the host asks for a passkey now. */
const isTooWeak = async ({ storage, options }: UseDeps, confirmation: Confirmation): Promise<boolean> =>
  options.approverVerification === 'always' && needsPasskey(options, (await trustOf(storage, confirmation)) ?? {})

/** Makes the refusal of a use. The log and the error of the host say why an approval that was given does not count. */
const notApproved = async (deps: UseDeps, confirmation: Confirmation, now: Instant): Promise<ConfirmationNotApproved> => {
  const reason = await whyUncounted(deps, confirmation, now)
  if (reason === undefined) return new ConfirmationNotApproved()
  const { id: confirmationId, userId } = confirmation
  const uncounted = [{ userId, confirmationId, reason }]
  deps.logger.info('approvals_not_counted', { confirmationId, uncounted })
  return new ConfirmationNotApproved(uncounted)
}

/** Returns why an approval does not count; `undefined` if there is none, or if it serves another purpose. */
const whyUncounted = async (
  { storage, users, options }: UseDeps,
  confirmation: Confirmation,
  now: Instant,
): Promise<UncountedReason | undefined> => {
  const { approvalId, voidedAt, passkeyId, userId, tenant } = confirmation
  if (statusAt(confirmation, now) !== 'approved' || approvalId !== null) return undefined
  if (voidedAt !== null) return 'voided'
  if (passkeyId !== null && !options.passkeyApprovals) return 'kind_of_key'
  return (
    whyUserDoesNotCount(await users.byId(userId)) ??
    whySignatureDoesNotCount(options, await trustOf(storage, confirmation), tenant, now)
  )
}

const requireSameAction = (deps: UseDeps, confirmation: Confirmation, action: Wanted['action']): void => {
  const { id, actionType, payload } = confirmation
  const { value: actionPayload } = confirmationFields.payload.open(deps, id, payload)
  const { operation, tenant } = storedStatementOf(deps, confirmation)
  if (!isSameAction({ actionType, actionPayload, operation, tenant }, action)) throw new ActionMismatch()
}
