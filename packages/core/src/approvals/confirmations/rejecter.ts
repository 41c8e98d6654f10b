import type { Caller } from '../../identity/authentication/caller.ts'
import { holdSession } from '../../identity/sessions/hold-session.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { Settlement } from '../records/confirmation.ts'
import type { Requester } from './initiate.ts'

/** The caller who rejects. If a session is given, it must be live. Only a trusted device can say `notMe`. */
export type Rejecter = Requester & Partial<Pick<Caller, 'deviceId' | 'trustLevel'>>

/** Settles the confirmation of a caller, without further effect. Returns whether it was pending. @throws InvalidAccessToken */
export const settleOwn = (storage: ApprovalDeps['storage'], rejection: Settlement, caller: Rejecter): Promise<boolean> =>
  storage.transaction(async (tx) => {
    await holdSession(tx, caller)
    return tx.confirmations.settle(rejection)
  })
