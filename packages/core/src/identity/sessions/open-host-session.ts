import { type Checked, hostSignIn, namedUser } from '@countersign/contract'
import * as z from 'zod'
import { checkAddress, checkUserAgent } from '../../shared/check-input.ts'
import { hours, type Instant, seconds } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import { type FromClient, seenClient } from '../../shared/from-client.ts'
import { fromCheck } from '../../shared/input-schemas.ts'
import { UserChangedMeanwhile, UserMayNotSignIn, UserNotFound } from '../accounts/errors.ts'
import { partsOfPermission } from '../accounts/permissions.ts'
import { type CallingService, isBoundToTenants, isWithin, requireScope } from '../authentication/calling-service.ts'
import type { IdentityDeps } from '../deps.ts'
import { clientKnownFor } from '../login-throttle/login-failures.ts'
import { type NotifyOfChangeDeps, notifyOfChange } from '../push/notify-of-change.ts'
import { mayLogIn, type User } from '../records/user.ts'
import { issueTokens, type TokenPair } from '../tokens/issue-tokens.ts'
import { currentUser, type NamedUser } from './named-user.ts'
import { newSession } from './new-session.ts'
import { openSession } from './open-session.ts'

/** A session to open for a user whom the host has signed in. */
export interface OpenHostSession extends FromClient {
  readonly user: NamedUser
  /** The time at which the host has signed the user in, at most 24 hours ago; milliseconds since 1970. */
  readonly signedInAt: Instant
  /** The name that the host gives the way to sign in, such as `oidc`: 1 to 64 of `A-Z a-z 0-9 . _ : -`. Stored and shown. */
  readonly method: string
  /**
   * True if the host has verified the user, for example by a second factor. The session is then fresh for a short time, so that it
   * can register a trusted device for a user who already has one.
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

type OpenDeps = NotifyOfChangeDeps & Pick<IdentityDeps, 'users' | 'tokenKeys' | 'options' | 'loginSourceOf'>

/** A later time than now can only come from a clock that is ahead. */
const MOST_AHEAD = seconds(60)
const MOST_AGO = hours(24)

/**
 * Opens a session for a user whom the host has signed in itself. A user of the host's directory who is not stored yet is stored.
 * The user's trusted devices and the host are notified of a session from a new address, or without an address.
 * @throws UserNotFound, UserMayNotSignIn if the user is disabled or locked
 * @throws Invalid for a `signedInAt` more than 24 hours ago or more than 60 seconds ahead
 * @throws UserChangedMeanwhile if the password of the user changed at the same time
 * @example
 * const user = { directoryId: customer.id }
 * const tokens = await countersign.sessions.open({ user, signedInAt: session.signedInAt, method: 'password', address: request.ip })
 */
export function openHostSession(deps: OpenDeps, input: OpenHostSession): Promise<OpenedSession> {
  return openFor(deps, input, undefined)
}

/** A session to open for a user whom a service has signed in. */
export type OpenSessionForService = Checked<'sessions.open'> & { readonly service: CallingService }

/**
 * Opens a session for a user whom a service in another process has signed in. `userVerified` is stored and shown, but makes no
 * session fresh. For a service whose token is bound to tenants, only users exist who have permissions in these tenants and no others.
 * @throws MissingScope without the exact scope `session.open`
 * @throws UserNotFound, UserMayNotSignIn, Invalid, UserChangedMeanwhile as `sessions.open`
 * @example const tokens = await countersign.sessions.openForService({ service, user: { id }, signedInAt, method: 'password' })
 */
export async function openSessionForService(
  deps: OpenDeps,
  { service, signedInAt, ...input }: OpenSessionForService,
): Promise<OpenedSession> {
  requireScope(service, 'session.open')
  return openFor(deps, { ...input, signedInAt: Date.parse(signedInAt) }, service)
}

/**
 * Returns whether a user exists for a service. A service whose token is bound to tenants must not open sessions of users of other
 * tenants. A user without any permission belongs to no tenant, so such a service finds no such user.
 */
const isUserOf = (service: CallingService | undefined, { permissions }: User): boolean =>
  !isBoundToTenants(service) ||
  (permissions.length > 0 && permissions.every((permission) => isWithin(service, partsOfPermission(permission).tenant)))

const openFor = async (
  deps: OpenDeps,
  { user: named, signedInAt: given, method, userVerified = false, rememberMe = false, ...client }: OpenHostSession,
  service: CallingService | undefined,
): Promise<OpenedSession> => {
  const { storage, clock, loginSourceOf } = deps
  const now = clock.now()
  const signedInAt = checkedTime(deps, given, now)
  const user = await requireAdmitted(deps, named, service)
  const host = { method, signedInAt, openedBy: service?.name ?? null }
  const login = { userId: user.id, authMethod: 'host', host, userVerified, rememberMe, client: seenClient(client) } as const
  const session = newSession(deps, login, now)
  const { address } = client
  const source = await loginSourceOf(user.email, address)
  const isKnown = address !== undefined && (await storage.loginFailures.of(source)).knownUntil > now
  let isUser = true
  const admitted = await openSession(deps, user, session, async (tx) => {
    // The user may have got a permission in another tenant since the check above.
    const current = isBoundToTenants(service) ? await tx.users.byId(user.id) : user
    isUser = current !== undefined && isUserOf(service, current)
    if (isUser && address !== undefined) await tx.loginFailures.remember(source.client, now, now + clientKnownFor)
    return isUser
  })
  if (admitted === undefined) throw isUser ? await refusal(deps, user.id) : new UserNotFound()
  if (!isKnown) notifyOfChange(deps, { userId: user.id, change: 'session_opened' })
  return { ...issueTokens(deps, admitted, session, now), sessionId: session.id }
}

/** Returns the time of the sign-in by the clock of the service. The host tells it by the clock of its machine. @throws Invalid */
const checkedTime = ({ clock }: Pick<OpenDeps, 'clock'>, given: Instant, now: Instant): Instant => {
  const signedInAt = given + (clock.offset?.() ?? 0)
  if (signedInAt > now + MOST_AHEAD || signedInAt < now - MOST_AGO) {
    throw new Invalid({ signedInAt: 'must be at most 24 hours ago, and at most 60 seconds ahead' })
  }
  return Math.min(signedInAt, now)
}

/** @throws UserNotFound also for a user who does not exist for the service, UserMayNotSignIn */
const requireAdmitted = async (deps: OpenDeps, named: NamedUser, service: CallingService | undefined): Promise<User> => {
  const user = await currentUser(deps, named)
  if (user === undefined) throw new UserNotFound()
  if (user === 'disabled') throw isBoundToTenants(service) ? new UserNotFound() : new UserMayNotSignIn()
  if (!isUserOf(service, user)) throw new UserNotFound()
  if (!mayLogIn(user)) throw new UserMayNotSignIn()
  return user
}

/** Returns why a user who was admitted is refused: the user was disabled or locked, or got another password, meanwhile. */
const refusal = async ({ storage }: OpenDeps, userId: number): Promise<Error> => {
  const user = await storage.users.byId(userId)
  return user !== undefined && mayLogIn(user) ? new UserChangedMeanwhile() : new UserMayNotSignIn()
}
