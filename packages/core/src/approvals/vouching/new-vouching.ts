import { vouchingWords } from '@countersign/contract/display'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import type { IdentityStores } from '../../identity/stores.ts'
import type { OnProbation } from '../../identity/trust/vouching-port.ts'
import { toIsoTimestamp } from '../../shared/clock.ts'
import { pick } from '../../shared/pick.ts'
import { describeBuiltIn } from '../action-display.ts'
import { buildConfirmation } from '../confirmations/build-confirmation.ts'
import type { ConfirmationDeps } from '../deps.ts'
import type { Confirmation } from '../records/confirmation.ts'
import { requireReadable } from '../records/payload.ts'
import { askedBy, personOf, userRequester } from '../records/statement.ts'
import type { Vouching } from '../records/vouching.ts'
import type { ApprovalStores } from '../stores.ts'

/** Vouchings do not count towards the limit of pending confirmations, so that a thief cannot block them. */
const NO_LIMIT = 2 ** 31 - 1

type NewVouching = Omit<OnProbation, 'registeredBy'> &
  Pick<Vouching, 'registeredBy' | 'startedByRegistration' | 'restarts' | 'restartsSince'>

/** Stores a confirmation that vouches, with number matching; only these can. The caller has locked the row of the user. */
export const newVouching = async (
  deps: ConfirmationDeps,
  tx: IdentityStores & ApprovalStores,
  vouching: NewVouching,
): Promise<{ readonly confirmation: Confirmation; readonly matchNumber: string }> => {
  const { kind, userId, id, name, type, keyThumbprint, requestedFrom, registeredBy, tenants, now } = vouching
  const value = {
    deviceName: name,
    deviceType: type,
    deviceId: id,
    keyThumbprint,
    requestedFrom: { ...requestedFrom, at: toIsoTimestamp(now) },
  }
  const text = JSON.stringify(value)
  requireReadable(text)
  const user = await tx.users.byId(userId)
  if (user === undefined) throw new InvalidAccessToken()
  const asked = askedBy(userRequester(user), {})
  const vouch = {
    subject: personOf(user),
    asked,
    actionType: 'device_register',
    actionTypeVersion: null,
    display: describeBuiltIn(vouchingWords[kind], { actionPayload: value, asked }),
    payload: { text, value },
    requestedFrom,
    requestedBy: registeredBy,
    boundTo: tenants,
    numberMatching: true,
  } as const
  const { confirmation, matchNumber } = buildConfirmation(deps, vouch, now)
  if (matchNumber === null) throw new TypeError('a vouching has a number')
  // Without a limit, only the state of the account or of the session refuses a confirmation.
  if (!(await tx.confirmations.initiate(confirmation, NO_LIMIT))) throw new InvalidAccessToken()
  const given = pick(vouching, ['userId', 'kind', 'registeredBy', 'startedByRegistration', 'restarts', 'restartsSince'])
  await tx.vouchings.put({ ...given, subjectId: id, confirmationId: confirmation.id, createdAt: now })
  return { confirmation, matchNumber }
}
