import { boundOfService, requireScope } from '../../identity/authentication/calling-service.ts'
import { isWithin } from '../../identity/records/bound.ts'
import { mayLogIn } from '../../identity/records/user.ts'
import { belongsTo } from '../../identity/user-model/belongs-to.ts'
import { UserNotFound } from '../../identity/user-model/errors.ts'
import { Forbidden, Invalid } from '../../shared/errors.ts'
import { seenClient } from '../../shared/from-client.ts'
import { isOwnType, ownTypesText } from '../action-types/action-type.ts'
import { type InitiatedConfirmation, startConfirmation } from '../confirmations/build-confirmation.ts'
import type { ApprovalDeps, AskingInput, ByService } from '../deps.ts'
import { askedBy, personOf, serviceRequester } from '../records/statement.ts'

export type InitiateForUser = ByService<'services.initiate'> & AskingInput

/**
 * Creates a pending confirmation for a user, on behalf of another service, below the limit of the service for this user. An unknown
 * user, a user who cannot log in, and a user of none of the tenants of a bound service (`belongsTo`) get the same error.
 * @throws MissingScope without `confirmation.initiate:TYPE`, Forbidden outside of the tenants of the token
 * @throws Invalid for `device_register` and `password_change`; UserNotFound, TooManyPendingConfirmations
 * @example const { id } = await countersign.services.initiate({ service, userId, actionType, actionPayload })
 */
export async function initiateForUser(deps: ApprovalDeps, input: InitiateForUser): Promise<InitiatedConfirmation> {
  const { service, userId, actionType, payload, numberMatching } = input
  requireScope(service, `confirmation.initiate:${actionType}`)
  if (isOwnType(actionType)) throw new Invalid({ actionType: `must not be ${ownTypesText}` })
  const asked = askedBy(serviceRequester(service.name), input)
  const tenants = boundOfService(service)
  if (!isWithin(tenants, asked.tenant)) throw new Forbidden()
  const user = await deps.users.byId(userId)
  const isKnown = user !== undefined && mayLogIn(user) && (await belongsTo(deps, tenants, user, deps.clock.now()))
  if (!isKnown) throw new UserNotFound()
  return startConfirmation(
    deps,
    {
      subject: personOf(user),
      asked,
      actionType,
      payload,
      requestedFrom: seenClient(input),
      requestedBy: null,
      initiatedBy: service.name,
      numberMatching: numberMatching === true,
      showsMatchNumber: true,
    },
    deps.options.pendingConfirmationsPerService,
    // A service that is bound to tenants must not learn from the limit how many confirmations exist in other tenants.
    tenants === null ? null : asked.tenant,
  )
}
