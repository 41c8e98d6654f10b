import { actionTypes, hostChosenName } from '@countersign/contract'
import { type ConfirmationRecord, toRecord } from '../approvals/confirmations/confirmation-record.ts'
import type { ApprovalReading } from '../approvals/deps.ts'
import { findPolicy } from '../approvals/policies/policy-of.ts'
import { type ActionPolicy, type ApproverGroup, groupsOf } from '../approvals/records/action-policy.ts'
import { countsForUser } from '../approvals/records/confirmation.ts'
import type { IdentityDeps } from '../identity/deps.ts'
import { listDevicesOfUser } from '../identity/devices/manage-devices.ts'
import { waitForLogin } from '../identity/login-throttle/login-failures.ts'
import { listPasskeysOfUser } from '../identity/passkeys/manage-passkeys.ts'
import { limitSubject } from '../identity/rate-limits/limits.ts'
import { type RefusedRequests, refusedRequests } from '../identity/rate-limits/refused-requests.ts'
import { isWithin } from '../identity/records/bound.ts'
import type { Device } from '../identity/records/device.ts'
import type { Passkey } from '../identity/records/passkey.ts'
import type { MailboxMark } from '../identity/records/trust-store.ts'
import { mayLogIn, toProfile, type UserProfile } from '../identity/records/user.ts'
import { listSessions } from '../identity/sessions/admin-sessions.ts'
import type { SessionProfile } from '../identity/sessions/session-profile.ts'
import { endOfMark } from '../identity/trust/initial-trust.ts'
import type { WithTrust } from '../identity/trust/with-trust.ts'
import { normaliseEmail } from '../identity/user-model/email.ts'
import { lends, mayDo } from '../identity/user-model/permissions.ts'
import { requireUser } from '../identity/user-model/require-user.ts'
import type { Options } from '../options.ts'
import type { ShapedInput } from '../shared/bind-use-cases.ts'
import { type Instant, toIsoTimestamp } from '../shared/clock.ts'
import { storableText } from '../shared/input-schemas.ts'
import { pick } from '../shared/pick.ts'
import { newestActive } from '../shared/schema-registry/schema-version.ts'

export const explainApproverShape = {
  /** The email of the user, or the digits of the id. */
  email: storableText,
  /** Also explains what this action type asks for. */
  actionType: storableText.optional(),
  /** The tenant in which the action is asked for. */
  tenant: hostChosenName.optional(),
  /** A client address, normalised by the host: also explains whether the user can log in from there. */
  address: storableText.optional(),
}

interface Reached {
  readonly used: number
  readonly limit: number
}

/** Everything that decides whether a user can approve. */
export interface ApproverExplained {
  /** True if `reasons` is empty: the user can approve a confirmation now. */
  readonly canApprove: boolean
  /** Sentences that say what keeps the user from approving. */
  readonly reasons: readonly string[]
  readonly user: UserProfile
  readonly sessions: readonly SessionProfile[]
  readonly devices: readonly WithTrust<Omit<Device, 'publicKey' | 'pushToken'>>[]
  readonly passkeys: readonly WithTrust<Pick<Passkey, 'id' | 'name' | 'tenants' | 'trustedAt' | 'createdAt' | 'lastUsedAt'>>[]
  readonly limits: {
    readonly pendingConfirmations: Reached
    readonly devices: Reached
    /** One more login ends the least recently used session. */
    readonly sessions: Reached
    /** The time of the next login by password from the given (or an unknown) address, after wrong ones; `null` without a delay. */
    readonly passwordLoginAt: Instant | null
    /** The rate limits of the user's sessions, and of the given address, that refuse requests now. */
    readonly refusedRequests: readonly RefusedRequests[]
  }
  /** The mark of an account whose password was set by a code to a mailbox; `endsAt` is `null` if it does not end by waiting. */
  readonly mailboxMark: { readonly setAt: Instant; readonly endsAt: Instant | null } | null
  readonly confirmations: { readonly pending: readonly ConfirmationRecord[]; readonly voided: readonly ConfirmationRecord[] }
  /** The policy of the type, and whether the user has its permission, also by a delegation; `null` for an own confirmation. */
  readonly policy: (ActionPolicy & { readonly held: boolean }) | null
}

/** The number of the newest confirmations among which voided ones are searched. */
const SEARCHED = 1000

interface Deps extends ApprovalReading, Pick<IdentityDeps, 'rateLimits' | 'loginSourceOf'> {
  readonly options: Options
}

/** The question whether a user can approve. */
export interface ExplainApprover extends ShapedInput<typeof explainApproverShape> {}

type TrustedDevice = Pick<WithTrust<Device>, 'id' | 'trusted' | 'trustedAt' | 'tenants'>

/**
 * Explains whether a user can approve, and what keeps the user from it, for an administrator. Decrypts no payload.
 * @throws UserNotFound
 * @example const { canApprove, reasons } = await countersign.explainApprover({ email: 'ada@example.com' })
 */
export async function explainApprover(deps: Deps, input: ExplainApprover): Promise<ApproverExplained> {
  const { storage, clock, options } = deps
  const { email, actionType, tenant = null, address } = input
  const now = clock.now()
  const user = toProfile(await requireUser(deps, email))
  const [sessions, devices, passkeys] = await Promise.all([
    listSessions(deps, { email }),
    listDevicesOfUser(deps, { email }),
    listPasskeysOfUser(deps, { email }),
  ])
  const requestLimit = options.pendingConfirmationsPerUser
  const pending = toRecords(await storage.confirmations.pendingOfUser(user.id, now, requestLimit), now)
  const recent = toRecords(await storage.confirmations.page({ userId: user.id, limit: SEARCHED, now }), now)
  const policy = actionType === undefined ? null : ((await findPolicy(deps, actionType, tenant)) ?? null)
  const held = policy !== null && (holdsAny(user, policy, tenant) || (await borrowsAny(deps, user, policy, tenant)))
  const limits = {
    pendingConfirmations: { used: pending.filter(countsForUser).length, limit: requestLimit },
    devices: { used: devices.length, limit: options.devicesPerUser },
    sessions: { used: sessions.length, limit: options.sessionsPerUser },
    passwordLoginAt: await passwordLoginAt(deps, user.email, address),
    refusedRequests: await refusedRequests(
      deps,
      [
        ...sessions.map(({ id }) => limitSubject('session', id)),
        ...(address === undefined ? [] : [limitSubject('address', address)]),
      ],
      now,
    ),
  }
  const reasons = [
    ...accountReasons(user, options),
    ...signerReasons(devices, passkeys, sessions, options, tenant),
    ...(await actionReasons(deps, { actionType, tenant }, policy, held)),
    ...pendingReasons(pending, limits.pendingConfirmations),
    ...requestReasons(limits.refusedRequests, sessions),
  ]
  return {
    canApprove: reasons.length === 0,
    reasons,
    user,
    sessions,
    devices: devices.map(({ publicKey: _, pushToken: __, ...device }) => device),
    passkeys: passkeys.map((passkey) =>
      pick(passkey, ['id', 'name', 'tenants', 'trusted', 'trustedAt', 'createdAt', 'lastUsedAt']),
    ),
    limits,
    mailboxMark: markAt(await storage.trust.mailboxMarkOf(user.id), options, now),
    confirmations: { pending, voided: recent.filter(({ voidedAt }) => voidedAt !== null) },
    policy: policy && { ...policy, held },
  }
}

const markAt = (mark: MailboxMark | null, { mailboxMark: lasts }: Options, now: Instant): ApproverExplained['mailboxMark'] => {
  const end = endOfMark(mark, lasts)
  return mark === null || end <= now ? null : { setAt: mark.since, endsAt: Number.isFinite(end) ? end : null }
}

const passwordLoginAt = async (
  { storage, clock, options, loginSourceOf }: Deps,
  email: string,
  address: string | undefined,
): Promise<Instant | null> => {
  if (options.rateLimits === 'off') return null
  const state = await storage.loginFailures.of(await loginSourceOf(normaliseEmail(email), address))
  const now = clock.now()
  const wait = waitForLogin(state, now)
  return wait === 0 ? null : now + wait
}

const namedPermissions = ({ bands }: ActionPolicy): readonly ApproverGroup['permission'][] => [
  ...new Set(bands.flatMap((band) => groupsOf(band).map(({ permission }) => permission))),
]

const holdsAny = ({ permissions }: UserProfile, policy: ActionPolicy, tenant: string | null): boolean =>
  namedPermissions(policy).some((permission) => mayDo(permissions, permission, tenant))

/** Returns whether a delegation lends the user a permission of the policy now. */
const borrowsAny = async (
  { storage, clock }: Deps,
  { id }: UserProfile,
  policy: ActionPolicy,
  tenant: string | null,
): Promise<boolean> => {
  for (const delegation of await storage.delegations.running({ userId: id }, clock.now())) {
    const giver = delegation.to === id ? await storage.users.byId(delegation.from) : undefined
    if (giver === undefined || !mayLogIn(giver)) continue
    if (namedPermissions(policy).some((permission) => lends(delegation, giver, permission, tenant))) return true
  }
  return false
}

const accountReasons = ({ disabledAt, lockedAt, email }: UserProfile, { refusedEmails }: Deps['options']): readonly string[] => [
  ...(disabledAt === null ? [] : [`The user was disabled at ${toIsoTimestamp(disabledAt)}.`]),
  ...(lockedAt === null ? [] : [`The account was locked at ${toIsoTimestamp(lockedAt)}.`]),
  ...(refusedEmails.includes(email) ? ['The option refusedEmails of the host refuses this email.'] : []),
]

/** A trusted passkey approves in any session, so its user needs no device. */
const signerReasons = (
  devices: readonly TrustedDevice[],
  passkeys: ApproverExplained['passkeys'],
  sessions: readonly SessionProfile[],
  { passkeyApprovals }: Deps['options'],
  tenant: string | null,
): readonly string[] => {
  const canVote = passkeyApprovals && passkeys.some(({ trusted, tenants }) => trusted && isWithin(tenants, tenant))
  return canVote ? [] : deviceReasons(devices, sessions, tenant)
}

const deviceReasons = (
  all: readonly TrustedDevice[],
  sessions: readonly SessionProfile[],
  tenant: string | null,
): readonly string[] => {
  if (all.length === 0) return ['The user has no registered device.']
  const devices = all.filter(({ tenants }) => isWithin(tenants, tenant))
  if (devices.length === 0)
    return all.map(({ id, tenants }) => `The device ${id} is bound to ${tenants?.join(' and ')}, and approves nothing elsewhere.`)
  const trusted = devices.filter((device) => device.trusted)
  if (trusted.length === 0)
    return devices.map(({ id, trustedAt }) =>
      trustedAt === null
        ? `The device ${id} is on probation: a trusted device must vouch for it, or an administrator must trust it.`
        : `The device ${id} is on probation until ${toIsoTimestamp(trustedAt)}.`,
    )
  const isSignedIn = trusted.some(({ id }) => sessions.some(({ deviceId }) => deviceId === id))
  return isSignedIn ? [] : ['No trusted device of the user is signed in: the app must log in with its key.']
}

const actionReasons = async (
  { storage }: Deps,
  { actionType, tenant }: { readonly actionType: string | undefined; readonly tenant: string | null },
  policy: ActionPolicy | null,
  held: boolean,
): Promise<readonly string[]> => {
  if (actionType === undefined) return []
  const isOfContract = actionTypes.some((type) => type === actionType)
  const { schemas } = await storage.actionTypes.active()
  const types = tenant === null ? [actionType] : [actionType, `${actionType}@${tenant}`]
  const isKnown = isOfContract || types.some((type) => newestActive(schemas, type) !== undefined)
  return [
    ...(isKnown ? [] : [`The action type ${actionType} is neither built in nor an active registered type.`]),
    ...(policy === null || held ? [] : [policyReason(actionType, namedPermissions(policy))]),
  ]
}

const policyReason = (actionType: string, permissions: readonly string[]): string =>
  permissions.length === 0
    ? `Requests of ${actionType} ask nobody, because no band of the policy asks for approvers.`
    : `Requests of ${actionType} ask only users with the permission ${permissions.join(' or ')}, which the user neither holds nor has by a delegation.`

const pendingReasons = (pending: readonly ConfirmationRecord[], { used, limit }: Reached): readonly string[] => {
  if (pending.length === 0) return ['No confirmation of the user is pending.']
  return used < limit ? [] : [`The user has ${used} pending confirmations, the most that are allowed: new ones are refused.`]
}

/** The requests with which a device reads and approves a confirmation. */
const APPROVING: readonly string[] = ['confirmation', 'confirmation-reading']

const requestReasons = (refused: readonly RefusedRequests[], sessions: readonly SessionProfile[]): readonly string[] => {
  const ofDevices = sessions.filter(({ deviceId }) => deviceId !== null).map(({ id }) => limitSubject('session', id))
  return refused
    .filter(({ category, subject }) => APPROVING.includes(category) && ofDevices.includes(subject))
    .map(({ category, subject, allowedAt }) => {
      return `The rate limit ${category} refuses requests of the ${subject.replace(':', ' ')} until ${toIsoTimestamp(allowedAt)}.`
    })
}

const toRecords = (confirmations: readonly Parameters<typeof toRecord>[0][], now: Instant) =>
  confirmations.map((confirmation) => toRecord(confirmation, now))
