import type { Output } from '@countersign/contract'
import type { Deps } from '../deps.ts'
import { verifyToken } from '../tokens/verify-token.ts'
import { authenticate } from './authenticate.ts'
import { InvalidAccessToken } from './errors.ts'

/** What a calling service is told of a good token. */
export type Introspection = Output<'internal.verify'>['claims']

type IntrospectDeps = Pick<Deps, 'storage' | 'users' | 'clock' | 'tokenKeys' | 'options'>

const introspectServiceToken = async (
  deps: IntrospectDeps,
  token: string,
  caller: string,
): Promise<Introspection | undefined> => {
  const claims = await verifyToken(deps, token, ['service'])
  if (claims === undefined) return undefined
  const standing = await deps.storage.serviceTokens.standing(claims.session_id)
  if (standing === undefined || standing.service !== claims.service_name || standing.service !== caller) {
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
}

/**
 * Tells a calling service whether a token is good, now: a user's access token, or its own service token.
 *
 * @param input.serviceName The service that asks; a service token is good only for the service it was issued to.
 * @throws InvalidAccessToken, without a reason, for every token that is not good
 */
export const introspect = async (
  deps: IntrospectDeps,
  input: { readonly token: string; readonly serviceName: string },
): Promise<Introspection> => {
  const service = await introspectServiceToken(deps, input.token, input.serviceName)
  if (service !== undefined) return service
  const caller = await authenticate(deps, input)
  return {
    id: caller.userId,
    email: caller.email,
    permissions: [...caller.permissions],
    token_use: caller.tokenUse,
    device_id: caller.deviceId,
    trust_level: caller.trustLevel,
  }
}
