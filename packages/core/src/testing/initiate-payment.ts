import type { Confirmation } from '../approvals/confirmations/confirmation.ts'
import type { Caller } from '../identity/authentication/caller.ts'
import type { TestCountersign } from './create-test-countersign.ts'
import { validPayloads } from './valid-payloads.ts'

/** Initiates the confirmation of a payment. */
export const initiatePayment = (
  { countersign }: Pick<TestCountersign, 'countersign'>,
  caller: Pick<Caller, 'userId'>,
  changes: Partial<{ recipient: string; description: string }> = {},
): Promise<Confirmation> => {
  const actionPayload = { ...validPayloads.payment_approval, ...changes }
  return countersign.confirmations.initiate({ caller, actionType: 'payment_approval', actionPayload })
}
