import * as z from 'zod'
import { days, type Instant } from '../../shared/clock.ts'
import { Invalid, NothingToChange } from '../../shared/errors.ts'
import { storableText } from '../../shared/input-schemas.ts'
import type { Logger } from '../../shared/logger.ts'
import { outcomeOf, RolledBack } from '../../shared/transactional.ts'
import type { IdentityDeps } from '../deps.ts'
import type { Delegation } from '../records/delegation.ts'
import type { User, UserChange } from '../records/user.ts'
import type { IdentityStores } from '../stores.ts'
import { UserChangedMeanwhile, UserNotFound } from '../user-model/errors.ts'
import { emailsOf } from '../user-model/list-all.ts'
import { approvalOf, type GrantedBy, grantedByShape } from '../user-model/on-grant.ts'
import { holdsLent, isPermission } from '../user-model/permissions.ts'
import { type ByEmail, requireUser } from '../user-model/require-user.ts'
import { requireGranter } from './require-granter.ts'

/** A delegation to give. */
export interface DelegatePermission extends GrantedBy {
  /** The email or id of the user who has the permission. */
  readonly from: string
  /** The email or id of the delegate. */
  readonly to: string
  /** `<resource>.<action>`, or with `@<tenant>` for one tenant. No wildcard. */
  readonly permission: string
  /** The end, in milliseconds since 1970. At most a year ahead. */
  readonly until: Instant
}

/** The types of the members that name a delegation. */
export const delegationShape = { from: storableText, to: storableText, permission: storableText }

export const delegatePermissionShape = {
  ...delegationShape,
  until: z.int({ error: 'must be milliseconds since 1970' }),
  ...grantedByShape,
}

/** A delegation with the emails of both users. */
export interface DelegationProfile extends Omit<Delegation, 'from' | 'to'> {
  readonly from: Pick<User, 'id' | 'email'>
  readonly to: Pick<User, 'id' | 'email'>
}

const LONGEST = days(366)

/**
 * Lets a user vote for another user in approval requests until a time: the vote counts for the permission, and the signed
 * statement names both. It ends when its giver loses the permission, and does not count while the giver is disabled or locked.
 * @throws UserNotFound, UserChangedMeanwhile
 * @throws Invalid for a permission that the giver lacks or that the delegate has already; a delegate cannot delegate further
 * @throws ConfirmationRequired and the errors of consuming an approval, if the host gates grants
 * @throws Forbidden for a caller whose session is bound to other tenants than the permission
 * @example await countersign.users.delegate({ from, to, permission: 'payment.approve', until: Date.parse('2026-12-24') })
 */
export async function delegatePermission(deps: IdentityDeps, input: DelegatePermission): Promise<DelegationProfile> {
  const { permission, until } = input
  const now = deps.clock.now()
  if (!isPermission(permission) || permission.includes('*')) {
    throw new Invalid({ permission: 'must be <resource>.<action>, or <resource>.<action>@<tenant>' })
  }
  await requireGranter(deps, input, [permission])
  if (until <= now || until > now + LONGEST) throw new Invalid({ until: 'must be in the future, at most a year ahead' })
  const [from, to] = [await requireCurrentUser(deps, input.from), await requireCurrentUser(deps, input.to)]
  if (from.id === to.id) throw new Invalid({ to: 'must be another user' })
  if (!holdsLent(from.permissions, permission)) throw new Invalid({ permission: `${from.email} does not hold it` })
  if (holdsLent(to.permissions, permission)) throw new Invalid({ permission: `${to.email} holds it already` })
  const delegation = { from: from.id, to: to.id, permission, until, createdAt: now }
  const isStored = await outcomeOf(
    deps.storage.transaction(async (tx) => {
      for (const { id, version } of [from, to].sort((one, other) => one.id - other.id)) {
        if (!(await tx.users.admit(id, version))) throw new RolledBack(false)
      }
      await deps.onGrant(tx, { ...approvalOf(input), email: to.email, granted: [permission], before: to })
      await tx.delegations.put(delegation)
      return true
    }),
  )
  if (!isStored) throw new UserChangedMeanwhile()
  deps.logger.info('permission_delegated', { ...delegation, until: new Date(until).toISOString() })
  return { ...delegation, from: { id: from.id, email: from.email }, to: { id: to.id, email: to.email } }
}

/** Returns a user with the current permissions: a user of the host's directory is read from the directory. @throws UserNotFound */
const requireCurrentUser = async (deps: IdentityDeps, name: string): Promise<User> => {
  const stored = await requireUser(deps, name)
  const user = await deps.users.byId(stored.id)
  if (user === undefined) throw new UserNotFound()
  return user
}

/**
 * Returns the delegations that a user gave or got and that have not ended. @throws UserNotFound
 * @example const delegations = await countersign.users.delegations({ email: 'ada@example.com' })
 */
export async function listDelegations(deps: IdentityDeps, { email }: ByEmail): Promise<readonly DelegationProfile[]> {
  const { id } = await requireUser(deps, email)
  const delegations = await deps.storage.delegations.running({ userId: id }, deps.clock.now())
  const users = delegations.flatMap(({ from, to }) => [from, to])
  const emails = await emailsOf(deps, users)
  const withEmail = (userId: number) => ({ id: userId, email: emails.get(userId) ?? '' })
  return delegations.map((one) => ({ ...one, from: withEmail(one.from), to: withEmail(one.to) }))
}

/**
 * Ends a delegation, also for open approval requests. @throws UserNotFound, NothingToChange if it does not exist
 * @example await countersign.users.endDelegation({ from, to, permission: 'payment.approve' })
 */
export async function endDelegation(
  deps: IdentityDeps,
  input: Pick<DelegatePermission, 'from' | 'to' | 'permission'>,
): Promise<void> {
  const { permission } = input
  const [from, to] = [await requireUser(deps, input.from), await requireUser(deps, input.to)]
  if (!(await deps.storage.delegations.end({ from: from.id, to: to.id, permission }))) {
    throw new NothingToChange(`${from.email} has not delegated ${permission} to ${to.email}`)
  }
  deps.logger.info('delegation_ended', { from: from.id, to: to.id, permission })
}

/** Ends for good the delegations whose permission their giver lost by this change, in its transaction. Returns them. */
export const endLostDelegations = async (tx: IdentityStores, { id, permissions }: User, change: UserChange, now: Instant) => {
  if (change.permissions === undefined) return []
  const delegations = await tx.delegations.running({ userId: id }, now)
  const lost = delegations.filter(({ from, permission }) => from === id && !holdsLent(permissions, permission))
  for (const delegation of lost) await tx.delegations.end(delegation)
  return lost
}

/** Logs the delegations that ended, after the commit. */
export const logEndedDelegations = (logger: Logger, ended: readonly Delegation[]): void => {
  for (const { from, to, permission } of ended) logger.info('delegation_ended', { from, to, permission })
}
