import type { ShapedInput } from '../../shared/bind-use-cases.ts'
import type { Opening } from '../../shared/crypto/field-encryption.ts'
import { storableText, trueOrFalse } from '../../shared/input-schemas.ts'
import type { ApprovalReading, ApprovalStorage } from '../deps.ts'
import type { Confirmation } from '../records/confirmation.ts'
import { type ConfirmationRecord, toRecord } from './confirmation-record.ts'
import { ConfirmationNotFound } from './errors.ts'
import { confirmationFields } from './sealed-fields.ts'

export const showConfirmationShape = {
  confirmationId: storableText,
  /** Also decrypts the payload, and the reason of a rejection. */
  withPayload: trueOrFalse.optional(),
}

/** The input of `show`. */
export interface ShowConfirmation extends ShapedInput<typeof showConfirmationShape> {}

/** A confirmation with the person whose confirmation it is. */
export interface ShownConfirmation extends ConfirmationRecord {
  /** `null` for a deleted user. */
  readonly email: string | null
  /** The name of the device or passkey that approved; `null` if nobody approved, for a removed passkey, and for a deleted user. */
  readonly deviceName: string | null
  /** Present with `withPayload` only. */
  readonly actionPayload?: unknown
  /** The reason that a person gave for a rejection; `null` for none. Present with `withPayload` only. */
  readonly reason?: string | null
}

/**
 * Returns any confirmation, for an administrator. The payload and the reason stay encrypted unless the caller asks for them.
 * @throws ConfirmationNotFound, FieldNotOpened, and DataErased for the payload of a deleted user
 * @example const { status, actionPayload } = await countersign.confirmations.show({ confirmationId, withPayload: true })
 */
export async function showConfirmation(
  deps: ApprovalReading,
  { confirmationId, withPayload = false }: ShowConfirmation,
): Promise<ShownConfirmation> {
  const { storage, clock } = deps
  const confirmation = await storage.confirmations.byId(confirmationId)
  if (confirmation === undefined) throw new ConfirmationNotFound()
  const user = await storage.users.byId(confirmation.userId)
  return {
    ...toRecord(confirmation, clock.now()),
    email: user?.email ?? null,
    deviceName: await deviceNameOf(deps, confirmation),
    ...(withPayload && openContent(deps, confirmation)),
  }
}

const openContent = (
  deps: Opening,
  { id, payload, rejectReason }: Confirmation,
): Pick<ShownConfirmation, 'actionPayload' | 'reason'> => ({
  actionPayload: confirmationFields.payload.open(deps, id, payload).value,
  reason: rejectReason && confirmationFields.rejectReason.open(deps, id, rejectReason),
})

const deviceNameOf = async (
  { storage }: ApprovalStorage,
  { userId, deviceId, passkeyId }: Confirmation,
): Promise<string | null> => {
  if (passkeyId !== null) return (await storage.passkeys.allOfUser(userId)).find(({ id }) => id === passkeyId)?.name ?? null
  if (deviceId === null) return null
  const active = await storage.devices.ofUser(userId, deviceId)
  const device = active ?? (await storage.devices.removedOfUser(userId)).find(({ id }) => id === deviceId)
  return device?.deviceName || null
}
