import { grantersOf, mayDo } from '../../identity/accounts/permissions.ts'
import { mayLogIn, type User } from '../../identity/records/user.ts'
import type { Instant } from '../../shared/clock.ts'
import type { ApprovalDeps } from '../deps.ts'
import { inGroups } from '../policies/match-groups.ts'
import { countOf, groupsOf, type PolicyBand } from '../records/action-policy.ts'

/** Returns the public keys of a user's devices, removed devices included. */
export const keysOfUser = async ({ storage }: Pick<ApprovalDeps, 'storage'>, userId: number): Promise<ReadonlySet<string>> => {
  const devices = [...(await storage.devices.allOfUser(userId)), ...(await storage.devices.removedOfUser(userId))]
  return new Set(devices.map(({ publicKey }) => publicKey))
}

/** The most users who are asked for one request. Further holders of the permission are not asked. */
export const MOST_APPROVERS = 100

/** Returns whether an approval of a user counts for a permission in a scope. The one rule of who counts in a group. */
export const countsFor = (
  { permissions }: Pick<User, 'permissions'>,
  permission: `${string}.${string}`,
  scope: string | null,
): boolean => mayDo(permissions, permission, scope)

/** Returns whether a user can approve at this moment: counts in a group, and is neither disabled nor locked. */
export const isApprover = (user: User | undefined, band: PolicyBand, scope: string | null): user is User =>
  user !== undefined && mayLogIn(user) && groupsOf(band).some(({ permission }) => countsFor(user, permission, scope))

/** The approvers that a request needs. */
export interface Search {
  readonly band: PolicyBand
  readonly scope: string | null
  readonly requestedBy: number
  readonly now: Instant
}

/**
 * Returns the permissions whose later holders a request still asks, as lists of users spell them; none for a request that needs
 * nobody, and for one that has asked as many users as it may.
 */
export const stillWanted = ({ band, scope }: Pick<Search, 'band' | 'scope'>, asked: number): readonly string[] =>
  asked >= MOST_APPROVERS ? [] : [...new Set(groupsOf(band).flatMap(({ permission }) => grantersOf(permission, scope)))]

/**
 * Returns the most approvals that these users could give to a request now. One who fits two groups counts in one of them. Each key
 * counts once, and no key of the requester counts.
 */
const possibleApprovals = async (
  deps: Pick<ApprovalDeps, 'storage'>,
  approvers: readonly User[],
  { band, scope, requestedBy, now }: Search,
): Promise<number> => {
  const own = await keysOfUser(deps, requestedBy)
  const devices = await deps.storage.devices.trustedKeysOf(
    approvers.map(({ id }) => id),
    now,
  )
  const usable = devices.filter(({ publicKey }) => !own.has(publicKey))
  const able = new Set(usable.map(({ userId }) => userId))
  const voters = approvers.filter(({ id }) => able.has(id))
  const matched = inGroups(voters, band, (user, permission) => countsFor(user, permission, scope))
  return Math.min(matched.length, new Set(usable.map(({ publicKey }) => publicKey)).size)
}

/** Takes one of each list in turn, each user once. */
const inTurn = (lists: readonly (readonly User[])[]): readonly User[] => {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const taken = Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat()
  return [...new Map(taken.map((user) => [user.id, user])).values()]
}

/** The users whom a request would ask, and whether they are enough. */
export interface FoundApprovers {
  readonly approvers: readonly User[]
  readonly areEnough: boolean
}

/**
 * Finds the users who can approve a request now: at most `MOST_APPROVERS`, never the requester, the least recently asked of each
 * group first. Users with whom the request is complete come before all others.
 *
 * @throws NoHolders
 */
export const findApprovers = async (deps: Pick<ApprovalDeps, 'storage' | 'users'>, search: Search): Promise<FoundApprovers> => {
  const { band, scope, requestedBy, now } = search
  const groups = groupsOf(band)
  if (groups.length === 0) return { approvers: [], areEnough: true }
  const lists = await Promise.all(
    groups.map(({ permission }) => deps.users.approvers({ permission, scope, requestedBy, now, limit: MOST_APPROVERS })),
  )
  const found = inTurn(lists)
  const complete = inGroups(found, band, (user, permission) => countsFor(user, permission, scope))
  const approvers = [...new Set([...complete, ...found])].slice(0, MOST_APPROVERS)
  return { approvers, areEnough: (await possibleApprovals(deps, approvers, search)) >= countOf(groups) }
}
