import type { ConfirmationStatus } from '@countersign/contract'
import type { Displays } from '@countersign/contract/display'
import type { Instant } from '../../shared/clock.ts'
import type { SeenClient } from '../../shared/from-client.ts'
import { pick } from '../../shared/pick.ts'
import type { ApprovalReading } from '../deps.ts'
import { type Confirmation, statusAt } from '../records/confirmation.ts'
import { confirmationFields } from './sealed-fields.ts'
import { statementsOf } from './statement.ts'

const shown = ['id', 'userId', 'actionType', 'actionTypeVersion', 'challenge', 'createdAt', 'expiresAt', 'withdrawnAt'] as const

/** A confirmation as the user sees it, with its fields decrypted. */
export interface ConfirmationView extends Pick<Confirmation, (typeof shown)[number]> {
  /** The JSON of the payload, byte for byte as it was received. Parsing would reorder members with integer names. */
  readonly actionPayloadText: string
  /** The words on the screen by language, as the device signs them. */
  readonly display: Displays
  readonly status: ConfirmationStatus
  readonly nonce: string
  /** The canonical JSON (RFC 8785) of the statement that the challenge covers. */
  readonly statementText: string
  /** The client that asked; `null` if none was recorded. */
  readonly requestedFrom: SeenClient | null
  /** True if an approval needs the number that the asking page shows. */
  readonly numberMatching: boolean
  /** The reason of a rejection; `null` if there is none. */
  readonly reason: string | null
  readonly updatedAt: Instant
}

/** Decrypts confirmations for their user, in the order given. @throws FieldNotOpened, DataErased */
export const viewsOf = async (
  deps: ApprovalReading,
  confirmations: readonly Confirmation[],
  now: Instant,
): Promise<readonly ConfirmationView[]> => {
  const signed = await statementsOf(deps, deps.storage, confirmations)
  return signed.map(({ nonce, text, statement }, at) => {
    const confirmation = confirmations[at] as Confirmation
    const { id, payload, requestedFrom, rejectReason, withdrawnAt, expiresAt } = confirmation
    const status = statusAt(confirmation, now)
    return {
      ...pick(confirmation, shown),
      actionPayloadText: confirmationFields.payload.open(deps, id, payload).text,
      display: statement.display,
      status,
      nonce,
      statementText: text,
      requestedFrom: requestedFrom && confirmationFields.requestedFrom.open(deps, id, requestedFrom),
      numberMatching: confirmation.matchNumber !== null,
      reason: rejectReason && confirmationFields.rejectReason.open(deps, id, rejectReason),
      // No row is written when a confirmation expires, so the stored time would be too early.
      updatedAt: status === 'expired' && withdrawnAt === null ? expiresAt : confirmation.updatedAt,
    }
  })
}

/** Decrypts one confirmation for its user. @throws FieldNotOpened, DataErased */
export const viewOf = async (deps: ApprovalReading, confirmation: Confirmation, now: Instant): Promise<ConfirmationView> =>
  (await viewsOf(deps, [confirmation], now))[0] as ConfirmationView
