import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import type { PushDeps } from '../../identity/push/send-to-devices.ts'
import { Invalid } from '../../shared/errors.ts'
import type { ApprovalDeps } from '../deps.ts'
import {
  buildConfirmation,
  type InitiatedConfirmation,
  type NewConfirmation,
  type NewConfirmationDeps,
} from './build-confirmation.ts'
import { TooManyPendingConfirmations } from './errors.ts'
import { notifyDevices } from './notify-devices.ts'

export type StartDeps = NewConfirmationDeps &
  PushDeps &
  Pick<ApprovalDeps, 'storage' | 'users' | 'clock' | 'background' | 'describeAction' | 'observer'>

const NEEDS_NUMBER = 'must be 1, because this approval needs the number that only an extended answer shows'

/**
 * Stores a new confirmation, below the limit of its initiator, or of its initiator in `countedScope`. The user's devices get a push
 * message after the response is sent. The number of the confirmation is in this result only. The option of the host is the least: a
 * request can only add number matching. An action of a registered type is checked by its schema, and its display is rendered.
 *
 * @throws Invalid (see `requireCanonical`), also if the approval needs a number that the answer does not show
 * @throws InvalidAccessToken if the session that asks has ended, TooManyPendingConfirmations
 */
export const startConfirmation = async (
  deps: StartDeps,
  {
    showsMatchNumber,
    ...asked
  }: Omit<NewConfirmation, 'actionTypeVersion' | 'display' | 'approval'> & { readonly showsMatchNumber: boolean },
  pendingLimit: number,
  countedScope: string | null = null,
): Promise<InitiatedConfirmation> => {
  const { storage, clock, options, background, describeAction } = deps
  const numberMatching = options.numberMatching || asked.numberMatching
  if (numberMatching && !showsMatchNumber) throw new Invalid({ extended: NEEDS_NUMBER })
  const { actionType, payload } = asked
  const described = await describeAction({ actionType, actionPayload: payload.value, asked: asked.asked })
  const { confirmation, matchNumber } = buildConfirmation(deps, { ...asked, ...described, numberMatching }, clock.now())
  if (!(await storage.confirmations.initiate(confirmation, pendingLimit, countedScope))) {
    const { requestedBy } = confirmation
    if (requestedBy !== null && !(await storage.sessions.hold(requestedBy, asked.subject.id))) throw new InvalidAccessToken()
    throw new TooManyPendingConfirmations()
  }
  background.run(() => notifyDevices(deps, confirmation))
  const { id, challenge, expiresAt } = confirmation
  return { id, challenge, expiresAt, matchNumber }
}
