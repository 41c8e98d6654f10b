import type { CallingService } from '../../identity/authentication/calling-service.ts'
import type { SettledConfirmation } from '../../identity/user-model/account-endings.ts'
import type { Instant } from '../../shared/clock.ts'
import type { Requester } from '../confirmations/initiate.ts'
import type { ApprovalStores } from '../stores.ts'

/** The caller who reads or withdraws an approval that was asked for: a user, in a session or through the host, or a service. */
export type Asker = { readonly caller: Requester } | { readonly service: CallingService }

/** An act of an asker on an approval. A service needs another scope for each act. */
export type AskerAct = 'read' | 'withdraw'

/** A withdrawal that nothing speaks against at this moment. */
export interface Withdrawing<Answer> {
  /** Stores the withdrawal. Returns the confirmations that wait no longer; `undefined` if somebody decided meanwhile. */
  readonly store: (stores: ApprovalStores) => Promise<readonly SettledConfirmation[] | undefined>
  readonly answer: Answer
}

/** A confirmation or an approval request that the asker reaches. */
export interface Asked<View, Answer> {
  readonly actionType: string
  view(): Promise<View>
  /** @throws the refusal of an approval that was decided or has expired; Forbidden for the request of another user */
  withdrawing(now: Instant): Promise<Withdrawing<Answer>>
  /** The refusal of a withdrawal that the store refused again and again, though nobody had decided. */
  refused(): Error
}
