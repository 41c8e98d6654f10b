import type { ConfirmationStatus } from '@countersign/contract'
import { normaliseEmail } from '../../identity/users/email.ts'
import { UserNotFound } from '../../identity/users/errors.ts'
import { storableText, text } from '../../shared/input-schemas.ts'
import type { ApprovalDeps } from '../deps.ts'
import { type ConfirmationRecord, toRecord } from './confirmation-record.ts'

/** The question for the confirmations of a user. */
export interface ListConfirmations {
  readonly email: string
  /** Only confirmations with this status. */
  readonly status?: ConfirmationStatus | undefined
  /** Only confirmations of this type. */
  readonly actionType?: string | undefined
}

/** The types of the members of `ListConfirmations`. */
export const listConfirmationsShape = { email: storableText, status: text.optional(), actionType: text.optional() }

/** Returns the confirmations of a user, newest first, for an administrator. No encrypted field is opened. @throws UserNotFound */
export const listOfUser = async (
  { storage, clock }: Pick<ApprovalDeps, 'storage' | 'clock'>,
  { email, status, actionType }: ListConfirmations,
): Promise<readonly ConfirmationRecord[]> => {
  const user = await storage.users.byEmail(normaliseEmail(email))
  if (user === undefined) throw new UserNotFound()
  const now = clock.now()
  return (await storage.confirmations.allOfUser(user.id))
    .map((confirmation) => toRecord(confirmation, now))
    .filter((record) => status === undefined || record.status === status)
    .filter((record) => actionType === undefined || record.actionType === actionType)
    .reverse()
}
