import type { Statement } from '@countersign/contract'
import type { Delegation } from '../../identity/records/delegation.ts'
import { mayLogIn, type User } from '../../identity/records/user.ts'
import { lends, mayDo } from '../../identity/user-model/permissions.ts'
import type { Instant } from '../../shared/clock.ts'
import type { ApprovalDeps, ApproverLookup } from '../deps.ts'
import { groupsOf, type PolicyBand } from '../records/action-policy.ts'
import { personOf, userRequester } from '../records/statement.ts'

/** A user who can vote in a request: by permissions of their own, or as the delegate of another user. */
export interface Voter {
  readonly user: User
  /** The user who delegated, and the delegations that count; absent in a vote by own permissions. */
  readonly delegatedBy?: { readonly giver: User; readonly delegations: readonly Delegation[] }
}

export interface Search {
  readonly band: PolicyBand
  readonly tenant: string | null
  /** See `requestersOf`. */
  readonly requesters: ReadonlySet<number>
  readonly now: Instant
}

/** Returns the users who count as the requester, and so never as approvers: the requester and every delegate of the requester. */
export const requestersOf = async (
  { storage }: { readonly storage: Pick<ApprovalDeps['storage'], 'delegations'> },
  requestedBy: number,
  now: Instant,
): Promise<ReadonlySet<number>> => {
  const appointed = (await storage.delegations.running({ userId: requestedBy }, now)).filter(({ from }) => from === requestedBy)
  return new Set([requestedBy, ...appointed.map(({ to }) => to)])
}

/** Returns whether a vote counts for a permission in a tenant. The one rule of who counts in a group. */
export const countsFor = ({ user, delegatedBy }: Voter, permission: `${string}.${string}`, tenant: string | null): boolean =>
  delegatedBy === undefined
    ? mayDo(user.permissions, permission, tenant)
    : delegatedBy.delegations.some((one) => lends(one, delegatedBy.giver, permission, tenant))

/** Returns whether a voter counts in a group, and nobody involved is disabled or locked. */
const isApprover = (voter: Voter, { band, tenant }: Search): boolean =>
  mayLogIn(voter.user) &&
  (voter.delegatedBy === undefined || mayLogIn(voter.delegatedBy.giver)) &&
  groupsOf(band).some(({ permission }) => countsFor(voter, permission, tenant))

/** Returns the users who count as one person in a request: the voter, and the user who delegated. Only their first vote counts. */
export const usersOf = ({ user, delegatedBy }: Voter): readonly User[] =>
  delegatedBy === undefined ? [user] : [user, delegatedBy.giver]

export const peopleOf = (voter: Voter): readonly number[] => usersOf(voter).map(({ id }) => id)

/** Returns the member of a statement that names the user who delegated; an empty object for a vote by own permissions. */
export const namedDelegator = ({ delegatedBy }: Voter): Pick<NonNullable<Statement['approval']>, 'delegatedBy'> =>
  delegatedBy === undefined
    ? {}
    : { delegatedBy: { ...personOf(delegatedBy.giver), name: userRequester(delegatedBy.giver).name } }

/**
 * Returns a user as the voter of a request at `now`; `undefined` if the user cannot vote. Own permissions come before delegations.
 * A delegation by somebody who counts as the requester never counts.
 * @param signedBy In a vote: the user who delegated, as the statement says, or `null` for none. The vote counts in this way only.
 */
export const voterOf = async (
  { storage, users }: ApproverLookup,
  user: User | undefined,
  search: Search,
  signedBy?: number | null,
): Promise<Voter | undefined> => {
  if (user === undefined || search.requesters.has(user.id)) return undefined
  if (typeof signedBy !== 'number') {
    if (isApprover({ user }, search)) return { user }
    if (signedBy === null) return undefined
  }
  const given = (await storage.delegations.running({ userId: user.id }, search.now)).filter(
    ({ from, to }) => to === user.id && !search.requesters.has(from) && (typeof signedBy !== 'number' || from === signedBy),
  )
  for (const from of new Set(given.map((one) => one.from))) {
    const giver = await users.byId(from)
    if (giver === undefined) continue
    const voter = { user, delegatedBy: { giver, delegations: given.filter((one) => one.from === from) } }
    if (isApprover(voter, search)) return voter
  }
  return undefined
}
