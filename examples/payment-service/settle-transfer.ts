import { CountersignError, type ServiceClient } from '@countersign/client-sdk/verifier'
import { actionOf, type Ledger, type Transfer } from './ledger.ts'

/** The refusals after which the approval of a transfer can never be used. */
const final = ['confirmation_not_found', 'confirmation_consumed', 'confirmation_too_old', 'other_action']

const isFinal = (error: unknown): boolean => error instanceof CountersignError && final.includes(error.serviceCode ?? '')

/**
 * Uses the approval of a transfer, then moves the money. The id of the transfer is the idempotency key: after a crash at any
 * point, the same call continues, and the money moves once.
 *
 * @throws CountersignError while nobody has approved, and if Countersign cannot be reached
 */
export const settleTransfer = async (
  { countersign, ledger }: { readonly countersign: Pick<ServiceClient, 'redeem'>; readonly ledger: Ledger },
  transfer: Transfer,
): Promise<void> => {
  const { id, confirmationId } = transfer
  try {
    const { receipt } = await countersign.redeem({ confirmationId, ...actionOf(transfer), idempotencyKey: id })
    ledger.execute(id, receipt)
  } catch (error) {
    if (isFinal(error)) ledger.refuse(id)
    throw error
  }
}
