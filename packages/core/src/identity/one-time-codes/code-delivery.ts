import type { Instant } from '../../shared/clock.ts'
import type { TimedStorage } from '../base-deps.ts'
import type { OneTimeCodeKind } from '../records/one-time-code.ts'
import { hashOfCode } from './code-text.ts'

/** A one-time code on its way to its user. The text has no name, because a stranger may have chosen it. */
export interface CodeDelivery {
  readonly userId: number
  /** The email of the account, never the text that somebody typed. */
  readonly email: string
  /** `forgot`: somebody says that they forgot the password. `invitation`: the user is to set the first password. */
  readonly kind: 'forgot' | 'invitation'
  /** 26 letters and digits. Whoever has the code can set the password of the user. */
  readonly code: string
  readonly expiresAt: Instant
  /** The language tags (BCP 47) that the client prefers, the best first; none if nobody knows. */
  readonly languages: readonly string[]
}

/** Delivers a code, for example by mail. Called after the answer. A rejection voids the code, is logged, and fails no request. */
export type DeliverCode = (delivery: CodeDelivery) => void | Promise<void>

/** Delivers a code, and voids a code that nobody received. `kind` is the kind of the stored code. */
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
