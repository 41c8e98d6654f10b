import type { Checked } from '@countersign/contract'
import type { Caller } from '../../identity/authentication/caller.ts'
import { type FromClient, seenClient } from '../../identity/login/from-client.ts'
import type { PushDeps } from '../../identity/push/send-to-devices.ts'
import type { ApprovalDeps } from '../deps.ts'
import { TooManyPendingConfirmations } from './errors.ts'
import { type InitiatedConfirmation, type NewConfirmationDeps, newConfirmation } from './new-confirmation.ts'
import { notifyDevices } from './notify-devices.ts'

type InitiateDeps = NewConfirmationDeps & PushDeps & Pick<ApprovalDeps, 'storage' | 'clock' | 'background'>

/** The caller who asks. With the session, a device can end the session that asked (`reject` with `notMe`). */
export type Requester = Pick<Caller, 'userId'> & Partial<Pick<Caller, 'sessionId'>>

export type Initiate = Checked<'confirmations.initiate'> &
  FromClient & {
    readonly caller: Requester
    /** The JSON of the payload, from `readPayload`. */
    readonly actionPayloadText: string
  }

/**
 * Creates a pending confirmation of an action. The user's devices get a push message after the response is sent. The number of
 * the confirmation is in this result only.
 *
 * @throws Invalid (see `requireCanonical` and `requireReadable`), TooManyPendingConfirmations
 */
export const initiate = async (deps: InitiateDeps, input: Initiate): Promise<InitiatedConfirmation> => {
  const { storage, clock, options, background } = deps
  const { actionType, actionPayloadText, caller } = input
  const { confirmation, matchNumber } = newConfirmation(
    deps,
    {
      userId: caller.userId,
      actionType,
      actionPayloadText,
      requestedFrom: seenClient(input),
      requestedBy: caller.sessionId ?? null,
      numberMatching: options.numberMatching === 'on' || input.numberMatching === true,
    },
    clock.now(),
  )
  if (!(await storage.confirmations.initiate(confirmation, options.pendingConfirmationsPerUser))) {
    throw new TooManyPendingConfirmations()
  }
  background.run(() => notifyDevices(deps, confirmation))
  return { ...confirmation, matchNumber }
}
