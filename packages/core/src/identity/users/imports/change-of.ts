import { isDeepStrictEqual } from 'node:util'
import { checkedTokenSize, followingName } from '../../accounts/user-input.ts'
import type { User, UserChange } from '../../records/user.ts'
import type { GivenMembers } from './check-line.ts'

/**
 * Returns what a line changes about a user; `undefined` where nothing changes. A hash is taken only if the user has no
 * password, because the hash in a file is older than the password of a user who has logged in since.
 *
 * @throws Invalid if the changed user does not fit in a token
 */
export const changeOf = (user: User, { passwordHash, employee, department, ...given }: GivenMembers): UserChange | undefined => {
  const followed = employee?.name === undefined ? followingName(user, given.name) : undefined
  const ofEmployee = followed === undefined ? employee : { ...employee, name: followed }
  const wanted: UserChange = {
    ...given,
    ...(ofEmployee !== undefined && { employee: { ...user.employee, ...ofEmployee } }),
    ...(department !== undefined && { department: { ...user.department, ...department } }),
    ...(passwordHash !== undefined && user.passwordHash === null && { passwordHash }),
  }
  checkedTokenSize({ ...user, ...wanted })
  const differs = Object.entries(wanted).some(([member, value]) => !isDeepStrictEqual(user[member as keyof User], value))
  return differs ? wanted : undefined
}
