import { mayDo } from '../../identity/users/permissions.ts'
import { mayLogIn, type User } from '../../identity/users/user.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { ActionPolicy } from '../policies/action-policy.ts'

/** The most users who are asked for one request. Further holders of the permission are not asked. */
const MOST_APPROVERS = 100

const PAGE = 500

/** Returns whether a user can approve at this moment: holds the permission, and is neither disabled nor locked. */
export const isApprover = (user: User | undefined, permission: ActionPolicy['permission']): user is User =>
  user !== undefined && mayLogIn(user) && mayDo(user.permissions, permission)

/**
 * Returns the users who can approve a request, by ascending id: at most `MOST_APPROVERS`, never the requester. Users of a
 * directory who never logged in are unknown here.
 */
export const findApprovers = async (
  { storage, users }: Pick<ApprovalDeps, 'storage' | 'users'>,
  permission: ActionPolicy['permission'],
  requestedBy: number,
): Promise<readonly number[]> => {
  const found: number[] = []
  for (let afterId = 0; ; ) {
    const page = await storage.users.list({ afterId, limit: PAGE })
    for (const stored of page) {
      if (stored.id === requestedBy || !isApprover(stored, permission)) continue
      // The directory of the host has the last word.
      if (isApprover(await users.byId(stored.id), permission)) found.push(stored.id)
      if (found.length === MOST_APPROVERS) return found
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return found
    afterId = last.id
  }
}
