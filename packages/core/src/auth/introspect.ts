import type { Output } from '@countersign/contract'
import type { Deps } from '../deps.ts'
import { type Soon, whenKnown } from '../soon.ts'
import type { ClaimsOf } from '../tokens/claims.ts'
import { verifyToken } from '../tokens/verify-token.ts'
import { callerOf } from './authenticate.ts'
import type { Caller } from './caller.ts'
import { InvalidAccessToken } from './errors.ts'

/** What a calling service is told of a good token. */
export type Introspection = Output<'internal.verify'>['claims']

type IntrospectDeps = Pick<Deps, 'storage' | 'users' | 'clock' | 'tokenKeys' | 'knownTokens' | 'options'>

const ofService = ({ storage }: IntrospectDeps, claims: ClaimsOf<'service'>, asking: string): Soon<Introspection> =>
  whenKnown(storage.serviceTokens.standing(claims.session_id), (standing) => {
    if (standing === undefined || standing.service !== claims.service_name || standing.service !== asking) {
      throw new InvalidAccessToken()
    }
    return {
      id: null,
      email: null,
      permissions: [...standing.scopes],
      token_use: 'service',
      device_id: null,
      trust_level: null,
      service_name: standing.service,
    }
  })

const ofUser = (caller: Caller): Introspection => ({
  id: caller.userId,
  email: caller.email,
  permissions: [...caller.permissions],
  token_use: caller.tokenUse,
  device_id: caller.deviceId,
  trust_level: caller.trustLevel,
})

/**
 * Tells a calling service whether a token is good, now: a user's access token, or its own service token. Where storage
 * answers at once, so does this, and what it throws is thrown and not a rejection.
 *
 * @param input.serviceName The service that asks; a service token is good only for the service it was issued to.
 * @throws InvalidAccessToken, without a reason, for every token that is not good
 */
export const introspect = (
  deps: IntrospectDeps,
  input: { readonly token: string; readonly serviceName: string },
): Soon<Introspection> => {
  const claims = verifyToken(deps, input.token, ['access', 'biometric_access', 'service'])
  if (claims === undefined) throw new InvalidAccessToken()
  if (claims.token_use === 'service') return ofService(deps, claims, input.serviceName)
  return whenKnown(callerOf(deps, claims), ofUser)
}
