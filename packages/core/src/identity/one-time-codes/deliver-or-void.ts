import type { TimedStorage } from '../base-deps.ts'
import type { OneTimeCodeKind } from '../records/one-time-code.ts'
import type { CodeDelivery, DeliverCode } from './code-delivery.ts'
import { hashOfCode } from './code-text.ts'

/**
 * Delivers a code. A code that nobody received is voided, so that it does not take the place of another.
 *
 * @param kind The kind of the stored code. The code of an unused invitation that is mailed again is one of `forgot`.
 */
export const deliverOrVoid = async (
  { storage, clock }: TimedStorage,
  deliverCode: DeliverCode,
  delivery: CodeDelivery,
  kind: OneTimeCodeKind,
): Promise<void> => {
  try {
    await deliverCode(delivery)
  } catch (error) {
    const { userId, code } = delivery
    await storage.oneTimeCodes.spend({ hash: hashOfCode(code), kind, userId, now: clock.now() })
    throw error
  }
}
