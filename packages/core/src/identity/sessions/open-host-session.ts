import { type Checked, hostSignIn, namedUser } from '@countersign/contract'
import * as z from 'zod'
import { checkAddress, checkUserAgent } from '../../shared/check-input.ts'
import { hours, type Instant, seconds } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import { type FromClient, seenClient } from '../../shared/from-client.ts'
import { fromCheck } from '../../shared/input-schemas.ts'
import { boundOfService, type CallingService, requireScope } from '../authentication/calling-service.ts'
import { InvalidAccessToken } from '../authentication/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import { clientKnownFor } from '../login-throttle/login-failures.ts'
import { notifyOfChange } from '../push/notify-of-change.ts'
import type { Bound } from '../records/bound.ts'
import { covers } from '../records/service-token.ts'
import { mayLogIn, type User } from '../records/user.ts'
import type { IdentityStores } from '../stores.ts'
import { issueTokens, type TokenPair } from '../tokens/issue-tokens.ts'
import { belongsTo } from '../user-model/belongs-to.ts'
import { UserChangedMeanwhile, UserMayNotSignIn, UserNotFound } from '../user-model/errors.ts'
import { currentUser, type NamedUser } from './named-user.ts'
import { newSession, openSession } from './open-session.ts'

/** A session to open for a user whom the host has signed in. */
export interface OpenHostSession extends FromClient {
  readonly user: NamedUser
  /** The time at which the host has signed the user in, at most 24 hours ago; milliseconds since 1970. */
  readonly signedInAt: Instant
  /** The name that the host gives the way to sign in, such as `oidc`: 1 to 64 of `A-Z a-z 0-9 . _ : -`. Stored and shown. */
  readonly method: string
  /**
   * True if the host has verified the user, for example by a second factor. The session is then fresh for a short time, and can
   * register a trusted device.
   */
  readonly userVerified?: boolean | undefined
  readonly rememberMe?: boolean | undefined
}

export const openHostSessionShape = {
  user: namedUser,
  signedInAt: z.int({ error: 'must be milliseconds since 1970' }),
  ...hostSignIn,
  address: fromCheck(checkAddress).optional(),
  userAgent: fromCheck(checkUserAgent).optional(),
}

/** The token pair of a new session, and the id of the session. */
export interface OpenedSession extends TokenPair {
  readonly sessionId: string
}

/** A later time than now can only come from a clock that is ahead. */
const MOST_AHEAD = seconds(60)
const MOST_AGO = hours(24)

/**
 * Opens a session for a user whom the host has signed in itself. An unknown user of the host's directory is stored. The user's
 * trusted devices and the host are notified of a session from a new address, or without an address.
 * @throws UserNotFound, UserMayNotSignIn if the user is disabled or locked, UserChangedMeanwhile
 * @throws Invalid for a `signedInAt` more than 24 hours ago or 60 seconds ahead, and for an email that NFKC changes
 * @example
 * const user = { directoryId: customer.id }
 * const tokens = await countersign.sessions.open({ user, signedInAt: session.signedInAt, method: 'password', address: request.ip })
 */
export function openHostSession(deps: IdentityDeps, input: OpenHostSession): Promise<OpenedSession> {
  return openFor(deps, input, undefined)
}

/** A session to open for a user whom a service has signed in. */
export type OpenSessionForService = Checked<'sessions.open'> & { readonly service: CallingService }

/**
 * Opens a session for a user whom a service in another process has signed in. `userVerified` makes no session fresh. For a bound
 * service, the session is bound to its tenants, and only users who belong to one of them exist (`belongsTo`).
 * @throws MissingScope without the exact scope `session.open`
 * @throws UserNotFound, UserMayNotSignIn, Invalid, UserChangedMeanwhile as `sessions.open`
 * @example const tokens = await countersign.sessions.openForService({ service, user: { id }, signedInAt, method: 'password' })
 */
export async function openSessionForService(deps: IdentityDeps, input: OpenSessionForService): Promise<OpenedSession> {
  const { service, signedInAt, ...named } = input
  requireScope(service, 'session.open')
  return openFor(deps, { ...named, signedInAt: Date.parse(signedInAt) }, service)
}

const openFor = async (
  deps: IdentityDeps,
  { user: named, signedInAt: given, method, userVerified = false, rememberMe = false, ...client }: OpenHostSession,
  service: CallingService | undefined,
): Promise<OpenedSession> => {
  const { storage, clock, loginSourceOf } = deps
  const now = clock.now()
  const signedInAt = checkedTime(deps, given, now)
  const tenants = service === undefined ? null : boundOfService(service)
  const user = await requireAdmitted(deps, named, tenants)
  const host = { method, signedInAt, openedBy: service?.name ?? null }
  const login = { userId: user.id, authMethod: 'host', host, tenants, userVerified, rememberMe } as const
  const session = newSession(deps, { ...login, client: seenClient(client) }, now)
  const { address } = client
  const source = await loginSourceOf(user.email, address, tenants)
  const isKnown = address !== undefined && (await storage.loginFailures.of(source)).knownUntil > now
  const requireMember = async (tx: IdentityStores): Promise<'not_a_member' | undefined> => {
    // The user may have left the tenants since the check above.
    const current = tenants === null ? user : await tx.users.byId(user.id)
    const isMember = current !== undefined && (await belongsTo({ storage: tx, users: tx.users }, tenants, current, now))
    if (!isMember) return 'not_a_member'
    if (address !== undefined) await tx.loginFailures.remember(source.client, now, now + clientKnownFor)
    return undefined
  }
  const opening = await openSession(deps, user, session, requireMember, (tx) => requireValidToken(tx, service, tenants, now))
  if ('refused' in opening) throw opening.refused === 'user' ? await refusal(deps, user.id, tenants) : new UserNotFound()
  if (!isKnown) notifyOfChange(deps, { userId: user.id, change: 'session_opened' })
  return { ...issueTokens(deps, opening.user, session, now), sessionId: session.id }
}

/** Converts the time of the sign-in from the clock of the host's machine to the clock of the service. @throws Invalid */
const checkedTime = ({ clock }: IdentityDeps, given: Instant, now: Instant): Instant => {
  const signedInAt = given + (clock.offset?.() ?? 0)
  if (signedInAt > now + MOST_AHEAD || signedInAt < now - MOST_AGO) {
    throw new Invalid({ signedInAt: 'must be at most 24 hours ago, and at most 60 seconds ahead' })
  }
  return Math.min(signedInAt, now)
}

/** @throws UserNotFound also for a user who does not exist for the service, UserMayNotSignIn */
const requireAdmitted = async (deps: IdentityDeps, named: NamedUser, tenants: Bound): Promise<User> => {
  const user = await currentUser(deps, named)
  if (user === undefined) throw new UserNotFound()
  if (user === 'disabled' || !mayLogIn(user)) throw mayNotSignIn(tenants)
  if (!(await belongsTo(deps, tenants, user, deps.clock.now()))) throw new UserNotFound()
  return user
}

/** For a bound service, a locked or disabled user is like an unknown one. */
const mayNotSignIn = (tenants: Bound): Error => (tenants === null ? new UserMayNotSignIn() : new UserNotFound())

/**
 * Checks that a bound service still has a valid token for the tenants, and holds it, so that a revocation ends this session too.
 * @throws InvalidAccessToken
 */
const requireValidToken = async (tx: IdentityStores, service: CallingService | undefined, tenants: Bound, now: Instant) => {
  if (service === undefined || tenants === null) return
  const valid = await tx.serviceTokens.holdValid(service.name, now)
  if (!valid.some((token) => covers(token, tenants))) throw new InvalidAccessToken()
}

/** Returns why a user is refused after all: the user was disabled or locked, or got another password, meanwhile. */
const refusal = async ({ storage }: IdentityDeps, userId: number, tenants: Bound): Promise<Error> => {
  const user = await storage.users.byId(userId)
  return user !== undefined && mayLogIn(user) ? new UserChangedMeanwhile() : mayNotSignIn(tenants)
}
