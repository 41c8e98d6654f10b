import type { TrustedKey } from '../../identity/records/passkey.ts'
import { grantersOf } from '../../identity/user-model/permissions.ts'
import type { Instant } from '../../shared/clock.ts'
import type { ApprovalDeps, ApprovalStorage, ApproverLookup } from '../deps.ts'
import { fillGroups } from '../policies/match-groups.ts'
import { signedBand } from '../policies/require-unchanged.ts'
import { groupsOf, type PolicyBand, sumCounts } from '../records/action-policy.ts'
import type { RequestTerms } from '../records/approval-request.ts'
import { countsFor, peopleOf, requestersOf, type Search, type Voter, voterOf } from './voters.ts'

/** Returns the given public keys that a device or passkey of any of the users has or had. */
export const keysOfUsers = async (
  { storage }: ApprovalStorage,
  userIds: Iterable<number>,
  among: readonly { readonly publicKey: string }[],
): Promise<ReadonlySet<string>> => {
  const keys = [...new Set(among.map(({ publicKey }) => publicKey))]
  const held = await Promise.all(Array.from(userIds, (userId) => storage.trust.keysHeld(userId, keys)))
  return new Set(held.flat())
}

export const searchOf = async (
  deps: ApprovalStorage,
  terms: RequestTerms,
  requestedBy: number,
  now: Instant,
): Promise<Search> => ({
  band: signedBand(terms),
  tenant: terms.tenant,
  requesters: await requestersOf(deps, requestedBy, now),
  now,
})

/** The most users who are asked for one request. Further holders of the permission are not asked. */
export const MOST_APPROVERS = 100

/** Returns the permissions whose later holders a request still asks, in the spelling of the users' lists. */
export const stillWanted = ({ band, tenant }: Pick<Search, 'band' | 'tenant'>, asked: number): readonly string[] =>
  asked >= MOST_APPROVERS ? [] : [...new Set(groupsOf(band).flatMap(({ permission }) => grantersOf(permission, tenant)))]

/** Returns the voters who count in the groups, at most as many as the band needs. A user and their delegates are one person. */
const complete = (voters: readonly Voter[], { band, tenant }: Search): readonly Voter[] => {
  const people = new Set<number>()
  const single = voters.filter((voter) => {
    const isNew = peopleOf(voter).every((one) => !people.has(one))
    if (isNew) for (const one of peopleOf(voter)) people.add(one)
    return isNew
  })
  return fillGroups(single, band, (voter, permission) => countsFor(voter, permission, tenant)).counted
}

/** Returns whether passkeys count in a band. Whether a passkey is synced shows only when it approves. */
const takesPasskeys = ({ options }: ApprovalDeps, { approver }: PolicyBand): boolean =>
  options.passkeyApprovals && approver !== 'device'

/** The keys, except those of `requesters`, of trusted devices (and passkeys, if they count) that can approve in the tenant. */
export const usableKeys = async (
  deps: ApprovalDeps,
  userIds: readonly number[],
  { band, tenant, requesters, now }: Search,
): Promise<readonly TrustedKey[]> => {
  const approverDevices = deps.options.approverVerification === 'never'
  const query = { userIds, now, tenant, passkeys: takesPasskeys(deps, band), approverDevices }
  const keys = await deps.storage.trust.trustedKeysOf(query)
  const own = await keysOfUsers(deps, requesters, keys)
  return keys.filter(({ publicKey }) => !own.has(publicKey))
}

/** Takes one of each list in turn, each user once. */
const inTurn = (lists: readonly (readonly Voter[])[]): readonly Voter[] => {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const taken = Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat()
  return [...new Map(taken.map((voter) => [voter.user.id, voter])).values()]
}

/** Returns the delegates who vote with the permission of another user. They are few: a delegation is for a time. */
const findDelegates = async (deps: ApproverLookup, search: Search): Promise<readonly Voter[]> => {
  const { band, tenant, now } = search
  const lent = groupsOf(band).flatMap(({ permission }) =>
    tenant === null ? [permission] : [permission, `${permission}@${tenant}`],
  )
  const delegations = await deps.storage.delegations.running({ permissions: lent, limit: MOST_APPROVERS }, now)
  const found: Voter[] = []
  for (const to of new Set(delegations.map((one) => one.to))) {
    const voter = await voterOf(deps, await deps.users.byId(to), search)
    // The others have the permission themselves.
    if (voter?.delegatedBy !== undefined) found.push(voter)
  }
  return found
}

/** The users whom a request would ask, and whether they are enough. */
export interface FoundApprovers {
  readonly approvers: readonly Voter[]
  readonly areEnough: boolean
}

/**
 * Finds the users who can approve a request now: at most `MOST_APPROVERS`, never the requester or a delegate of the requester,
 * first those whose votes complete the request, then the least recently asked of each group, then delegates. Each key counts once,
 * and no key of the requester counts. @throws NoHolders
 */
export const findApprovers = async (
  deps: ApprovalDeps,
  asked: Omit<Search, 'requesters'> & { readonly requestedBy: number },
): Promise<FoundApprovers> => {
  const { band, tenant, requestedBy, now } = asked
  const groups = groupsOf(band)
  if (groups.length === 0) return { approvers: [], areEnough: true }
  const limits = { tenant, requestedBy, now, limit: MOST_APPROVERS, passkeys: takesPasskeys(deps, band) }
  const search = { ...asked, requesters: await requestersOf(deps, requestedBy, now) }
  const lists = await Promise.all(groups.map(({ permission }) => deps.users.approvers({ permission, ...limits })))
  const delegates = await findDelegates(deps, search)
  const found = [
    ...inTurn(lists.map((users) => users.filter(({ id }) => !search.requesters.has(id)).map((user) => ({ user })))),
    ...delegates,
  ]
  const ids = found.map(({ user }) => user.id)
  const keys = await usableKeys(deps, ids, search)
  const isAble = new Set(keys.map(({ userId }) => userId))
  const able = found.filter(({ user }) => isAble.has(user.id))
  const enough = complete(able, search)
  // A delegate without a device is not asked. A holder is asked, because a holder may still enrol a device.
  const worthAsking = found.filter(({ user, delegatedBy }) => delegatedBy === undefined || isAble.has(user.id))
  return {
    approvers: [...new Set([...enough, ...worthAsking])].slice(0, MOST_APPROVERS),
    areEnough: Math.min(enough.length, new Set(keys.map(({ publicKey }) => publicKey)).size) >= sumCounts(groups),
  }
}
