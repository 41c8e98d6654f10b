import type { Instant } from '../../shared/clock.ts'
import { type ConfirmationRecord, toRecord } from '../confirmations/confirmation-record.ts'
import { confirmationFields } from '../confirmations/sealed-fields.ts'
import type { ApprovalDeps } from '../deps.ts'
import { ReceiptsNotConfigured } from '../receipt-keys/errors.ts'
import type { Confirmation } from '../records/confirmation.ts'

/** A confirmation as the archive stores it. Encrypted fields are decrypted, because today's keys may be gone later. */
export interface ArchivedConfirmation extends ConfirmationRecord {
  /** The receipt of an approval; `null` without an approval, without stored evidence, and for erased content. */
  readonly receipt: string | null
  /** The payload if there is no receipt; otherwise `null`, because the receipt has it. Also `null` for erased content. */
  readonly actionPayload: unknown
  /** The reason of a rejection; `null` if there is none. */
  readonly reason: string | null
}

const receiptOf = async ({ issueReceipt }: ApprovalDeps, confirmation: Confirmation, now: Instant): Promise<string | null> => {
  if (confirmation.status !== 'approved' || confirmation.evidence === null) return null
  if (issueReceipt === undefined) throw new ReceiptsNotConfigured()
  return issueReceipt(confirmation, { issuedAt: now })
}

/** Returns a finished confirmation for the archive. @throws ReceiptsNotConfigured, ReceiptsUnavailable, FieldNotOpened */
export const toArchived = async (deps: ApprovalDeps, confirmation: Confirmation, now: Instant): Promise<ArchivedConfirmation> => {
  const record = toRecord(confirmation, now)
  if (record.erased) return { ...record, receipt: null, actionPayload: null, reason: null }
  const { id, payload, rejectReason } = confirmation
  const receipt = await receiptOf(deps, confirmation, now)
  const actionPayload = receipt === null ? confirmationFields.payload.open(deps, id, payload).value : null
  return {
    ...record,
    receipt,
    actionPayload,
    reason: rejectReason && confirmationFields.rejectReason.open(deps, id, rejectReason),
  }
}
