import { storableText, trueOrFalse } from '../../shared/input-schemas.ts'
import type { ApprovalDeps } from '../deps.ts'
import { type ConfirmationRecord, toRecord } from './confirmation-record.ts'
import { ConfirmationNotFound } from './errors.ts'
import { openPayload } from './sealed-fields.ts'

/** The question for one confirmation. */
export interface ShowConfirmation {
  readonly confirmationId: string
  /** Also decrypts the payload. */
  readonly withPayload?: boolean | undefined
}

/** The types of the members of `ShowConfirmation`. */
export const showConfirmationShape = { confirmationId: storableText, withPayload: trueOrFalse.optional() }

/** A confirmation with the person whose confirmation it is. */
export interface ShownConfirmation extends ConfirmationRecord {
  /** `null` for a deleted user. */
  readonly email: string | null
  /** Present with `withPayload` only. */
  readonly actionPayload?: unknown
}

/**
 * Returns any confirmation, for an administrator. The payload stays encrypted unless the caller asks for it.
 *
 * @throws ConfirmationNotFound, FieldNotOpened, and DataErased for the payload of a deleted user
 */
export const showConfirmation = async (
  deps: Pick<ApprovalDeps, 'storage' | 'clock' | 'encryptionKeys'>,
  { confirmationId, withPayload = false }: ShowConfirmation,
): Promise<ShownConfirmation> => {
  const { storage, clock } = deps
  const confirmation = await storage.confirmations.byId(confirmationId)
  if (confirmation === undefined) throw new ConfirmationNotFound()
  const user = await storage.users.byId(confirmation.userId)
  const actionPayload: unknown = withPayload ? JSON.parse(openPayload(deps, confirmation.id, confirmation.payload)) : undefined
  return {
    ...toRecord(confirmation, clock.now()),
    email: user?.email ?? null,
    ...(withPayload && { actionPayload }),
  }
}
