import type { Output } from '@countersign/contract'
import { type Soon, whenKnown } from '../../shared/maybe-promise.ts'
import type { IdentityDeps } from '../deps.ts'
import { isSameService, type ServiceToken } from '../service-tokens/service-token.ts'
import type { SessionStanding } from '../sessions/session.ts'
import { type ClaimsOf, isExpired } from '../tokens/claims.ts'
import { verifyToken, verifyTokenOnce } from '../tokens/verify-token.ts'
import { callerOf } from './authenticate.ts'
import { InvalidAccessToken } from './errors.ts'

/** What a calling service is told of a good token. */
export type Introspection = Output<'internal.verify'>['claims']

/**
 * Tells of one token, each time anew: whether it is good still, and what its bearer may do now. In the very turn where
 * storage knows at once; and with the very same object as before, where nothing has changed. @throws InvalidAccessToken
 */
export type Introspector = () => Soon<Introspection>

type IntrospectDeps = Pick<IdentityDeps, 'storage' | 'users' | 'clock' | 'tokenKeys' | 'options'>

/** Whether a token is good, as a service asks. */
export interface TokenQuestion {
  /** A user's access token, or the service token of the service that asks. */
  readonly token: string
  /** The service that asks: 1 to 64 of `A-Z`, `a-z`, `0-9`, dot, underscore, slash, hyphen, and spaces in between. */
  readonly serviceName: string
}

const ofService = (claims: ClaimsOf<'service'>, standing: ServiceToken | undefined, asking: string): Introspection => {
  if (standing === undefined || standing.service !== claims.service_name || !isSameService(standing.service, asking)) {
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

const ofUser = (claims: ClaimsOf<'access' | 'biometric_access'>, standing: SessionStanding | undefined): Introspection => {
  const caller = callerOf(claims, standing)
  return {
    id: caller.userId,
    email: caller.email,
    permissions: [...caller.permissions],
    token_use: caller.tokenUse,
    device_id: caller.deviceId,
    trust_level: caller.trustLevel,
  }
}

const introspectorOf = (
  { storage, users, clock }: IntrospectDeps,
  claims: ClaimsOf<'access' | 'biometric_access' | 'service'> | undefined,
  serviceName: string,
): Introspector => {
  if (claims === undefined) throw new InvalidAccessToken()
  let told: { readonly standing: unknown; readonly introspection: Introspection } | undefined
  /** Storage tells a standing by the same object as long as it remembers it. */
  const tell = <S>(standing: S, introspect: (standing: S) => Introspection): Introspection => {
    if (told === undefined || told.standing !== standing) told = { standing, introspection: introspect(standing) }
    return told.introspection
  }
  return () => {
    if (isExpired(claims, clock.now())) throw new InvalidAccessToken()
    if (claims.token_use !== 'service') {
      return whenKnown(users.standing(claims.session_id), (now) => tell(now, (standing) => ofUser(claims, standing)))
    }
    return whenKnown(storage.serviceTokens.standing(claims.session_id), (now) =>
      tell(now, (standing) => ofService(claims, standing, serviceName)),
    )
  }
}

const USES = ['access', 'biometric_access', 'service'] as const

/**
 * Checks a question about a token once, so that it can be asked over and over: the token need not be remembered besides.
 *
 * @param input.serviceName The service that asks; a service token is good only for the service it was issued to.
 * @throws InvalidAccessToken, without a reason, for every token that is not good
 */
export const createIntrospector = (deps: IntrospectDeps, { token, serviceName }: TokenQuestion): Introspector =>
  introspectorOf(deps, verifyTokenOnce(deps, token, USES), serviceName)

/**
 * Tells a calling service whether a token is good, now: a user's access token, or its own service token. See
 * `createIntrospector`.
 */
export const introspect = async (
  deps: IntrospectDeps & Pick<IdentityDeps, 'knownTokens'>,
  { token, serviceName }: TokenQuestion,
): Promise<Introspection> => introspectorOf(deps, verifyToken(deps, token, USES), serviceName)()
