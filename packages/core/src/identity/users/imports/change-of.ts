import { isDeepStrictEqual } from 'node:util'
import type { UserChange } from '../store.ts'
import type { User } from '../user.ts'
import { checkedTokenSize } from '../user-input.ts'
import type { GivenMembers } from './check-line.ts'

/**
 * Returns what a line changes about a user; `undefined` where nothing changes. A hash is taken only where the user has no
 * password, because the hash in a file is older than the password of a user who has logged in since.
 *
 * @throws Invalid where the changed user does not fit in a token
 */
export const changeOf = (user: User, { passwordHash, employee, department, ...given }: GivenMembers): UserChange | undefined => {
  const wanted: UserChange = {
    ...given,
    ...(employee !== undefined && { employee: { ...user.employee, ...employee } }),
    ...(department !== undefined && { department: { ...user.department, ...department } }),
    ...(passwordHash !== undefined && user.passwordHash === null && { passwordHash }),
  }
  checkedTokenSize({ ...user, ...wanted })
  const differs = Object.entries(wanted).some(([member, value]) => !isDeepStrictEqual(user[member as keyof User], value))
  return differs ? wanted : undefined
}
