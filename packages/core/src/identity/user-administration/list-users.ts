import * as z from 'zod'
import { storableText, trueOrFalse } from '../../shared/input-schemas.ts'
import type { IdentityStorage, TimedStorage } from '../base-deps.ts'
import { toProfile, type UserFilter, type UserProfile, type UserQuery } from '../records/user.ts'
import { type ByEmail, requireUser } from '../user-model/require-user.ts'

/**
 * Returns the user with this email, or with the id whose digits are given. @throws UserNotFound
 * @example const { id, permissions } = await countersign.users.find({ email: 'ada@example.com' })
 */
export async function findUser(deps: IdentityStorage, input: ByEmail): Promise<UserProfile> {
  return toProfile(await requireUser(deps, input.email))
}

/** The users to count. */
export interface CountUsers extends UserFilter {
  /** Only users without a device that is trusted now. */
  readonly noTrustedDevice?: boolean | undefined
}

/** The users to list; all users by default. */
export interface ListUsers extends CountUsers {
  /** Only users with a greater id. */
  readonly after?: number | undefined
  /** The greatest number of users; no limit by default. */
  readonly limit?: number | undefined
}

const instant = z.int({ error: 'must be milliseconds since 1970' }).optional()
const countMessage = 'must be a whole number from 0'
const wholeNumber = z.int({ error: countMessage }).min(0, { error: countMessage }).optional()

export const countUsersShape = {
  search: storableText.optional(),
  permission: storableText.optional(),
  disabled: trueOrFalse.optional(),
  locked: trueOrFalse.optional(),
  departmentId: storableText.optional(),
  since: instant,
  before: instant,
  noTrustedDevice: trueOrFalse.optional(),
}
export const listUsersShape = { ...countUsersShape, after: wholeNumber, limit: wholeNumber }

const PAGE = 500

const toQuery = ({ clock }: TimedStorage, { noTrustedDevice = false, ...filter }: CountUsers): UserQuery => ({
  ...filter,
  ...(noTrustedDevice && { noTrustedDeviceAt: clock.now() }),
})

/**
 * Yields all users who meet the conditions, by ascending id, and reads them in pages. @throws Invalid naming each wrong member
 * @example for await (const { email } of countersign.users.list({ locked: true })) console.log(email)
 */
export async function* listUsers(deps: TimedStorage, input: ListUsers): AsyncGenerator<UserProfile> {
  const { after = 0, limit = Number.POSITIVE_INFINITY, ...filter } = input
  const query = toQuery(deps, filter)
  let afterId = after
  for (let left = limit; left > 0; left -= PAGE) {
    const size = Math.min(PAGE, left)
    const users = await deps.storage.users.list({ ...query, afterId, limit: size })
    for (const user of users) yield toProfile(user)
    const last = users.at(-1)
    if (last === undefined || users.length < size) return
    afterId = last.id
  }
}

/**
 * Returns the number of users who meet the conditions; of all users without any. @throws Invalid naming each wrong member
 * @example const locked = await countersign.users.count({ locked: true })
 */
export async function countUsers(deps: TimedStorage, filter: CountUsers): Promise<number> {
  return deps.storage.users.count(toQuery(deps, filter))
}
