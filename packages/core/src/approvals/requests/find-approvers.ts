import { mayDo } from '../../identity/accounts/permissions.ts'
import { mayLogIn, type User } from '../../identity/records/user.ts'
import type { ApprovalDeps } from '../deps.ts'
import { inGroups } from '../policies/match-groups.ts'
import { groupsOf, type PolicyBand } from '../records/action-policy.ts'

/** Returns the public keys of a user's devices, removed devices included. */
export const keysOfUser = async ({ storage }: Pick<ApprovalDeps, 'storage'>, userId: number): Promise<ReadonlySet<string>> => {
  const devices = [...(await storage.devices.allOfUser(userId)), ...(await storage.devices.removedOfUser(userId))]
  return new Set(devices.map(({ publicKey }) => publicKey))
}

/** The most users who are asked for one request. Further holders of the permission are not asked. */
const MOST_APPROVERS = 100

const PAGE = 500

/** Returns whether a user can approve at this moment: holds the permission of a group, and is neither disabled nor locked. */
export const isApprover = (user: User | undefined, band: PolicyBand, scope: string | null): user is User =>
  user !== undefined && mayLogIn(user) && groupsOf(band).some(({ permission }) => mayDo(user.permissions, permission, scope))

/** The approvers that a request needs. */
export interface Search {
  readonly band: PolicyBand
  readonly scope: string | null
  readonly requestedBy: number
}

/**
 * Returns the most approvals that these users could give to a request now. One who fits two groups counts in one of them. Each key
 * counts once, and no key of the requester counts. A user without a device can still register one.
 */
export const possibleApprovals = async (
  deps: Pick<ApprovalDeps, 'storage'>,
  approvers: readonly User[],
  { band, scope, requestedBy }: Search,
): Promise<number> => {
  const own = await keysOfUser(deps, requestedBy)
  const devices = await deps.storage.devices.keysOf(approvers.map(({ id }) => id))
  const usable = devices.filter(({ publicKey }) => !own.has(publicKey))
  const [owners, able] = [devices, usable].map((some) => new Set(some.map(({ userId }) => userId))) as [Set<number>, Set<number>]
  const voters = approvers.filter(({ id }) => able.has(id) || !owners.has(id))
  const matched = inGroups(voters, band, ({ permissions }, permission) => mayDo(permissions, permission, scope))
  const byKey = approvers.length - owners.size + Math.min(able.size, new Set(usable.map(({ publicKey }) => publicKey)).size)
  return Math.min(matched.length, byKey)
}

/**
 * Returns the users who can approve a request, by ascending id: at most `MOST_APPROVERS`, never the requester. Users of a
 * directory who never logged in are unknown here.
 */
export const findApprovers = async (
  { storage, users }: Pick<ApprovalDeps, 'storage' | 'users'>,
  { band, scope, requestedBy }: Search,
): Promise<readonly User[]> => {
  const found: User[] = []
  for (let afterId = 0; ; ) {
    const page = await storage.users.list({ afterId, limit: PAGE })
    for (const stored of page) {
      if (stored.id === requestedBy || !isApprover(stored, band, scope)) continue
      // The directory of the host has the last word.
      const approver = await users.byId(stored.id)
      if (isApprover(approver, band, scope)) found.push(approver)
      if (found.length === MOST_APPROVERS) return found
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return found
    afterId = last.id
  }
}
