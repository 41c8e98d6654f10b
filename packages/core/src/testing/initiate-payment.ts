import type { InitiatedConfirmation } from '../approvals/confirmations/build-confirmation.ts'
import type { Requester } from '../approvals/confirmations/initiate.ts'
import type { Countersign } from '../countersign.ts'
import { validPayloads } from './valid-payloads.ts'

/** Initiates the confirmation of a payment. */
export const initiatePayment = (
  { countersign }: { readonly countersign: Countersign },
  caller: Requester,
  changes: Partial<{ recipient: string; description: string }> = {},
): Promise<InitiatedConfirmation> => {
  const actionPayload = { ...validPayloads.payment_approval, ...changes }
  return countersign.confirmations.initiate({ caller, actionType: 'payment_approval', actionPayload })
}
