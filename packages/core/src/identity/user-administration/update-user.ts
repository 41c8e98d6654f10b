import { isDeepStrictEqual } from 'node:util'
import { Invalid, NothingToChange } from '../../shared/errors.ts'
import { storableText, text } from '../../shared/input-schemas.ts'
import type { LoggedChange } from '../base-deps.ts'
import { toProfile, type User, type UserChange, type UserProfile } from '../records/user.ts'
import { EmailTaken } from '../user-model/errors.ts'
import {
  checkedEmail,
  checkedProfile,
  checkedTokenSize,
  followingName,
  type ProfileInput,
  profileShape,
} from '../user-model/user-input.ts'
import { changeUser } from './change-user.ts'

/** New values for a user. If `name` and `employee.name` were the same, a new `name` changes both. */
export interface UpdateUser extends Pick<ProfileInput, 'name' | 'employee' | 'department'> {
  /** The current email. */
  readonly email: string
  /** The email with which the user logs in from now on. */
  readonly newEmail?: string | undefined
}

export const updateUserShape = { ...profileShape, email: storableText, newEmail: text.optional() }

/**
 * Changes the profile of a user, with immediate effect. A new email voids the one-time codes, which went to the old address.
 * @throws Invalid without a value, NothingToChange if the user has these values, UserNotFound, EmailTaken, UserChangedMeanwhile,
 * UsersKeptByHost
 * @example await countersign.users.update({ email: 'ada@example.com', name: 'Ada King', department: { name: 'Engines' } })
 */
export async function updateUser(deps: LoggedChange, input: UpdateUser): Promise<UserProfile> {
  const { newEmail, name, employee = {}, department = {} } = input
  if ([newEmail, name, ...Object.values(employee), ...Object.values(department)].every((value) => value === undefined)) {
    throw new Invalid({ name: 'must be given, or another value to change' })
  }
  const decide = async (user: User): Promise<UserChange> => {
    if (newEmail !== undefined) {
      const holder = await deps.storage.users.byEmail(checkedEmail(newEmail))
      if (holder !== undefined && holder.id !== user.id) throw new EmailTaken()
    }
    const change = changeOf(user, input)
    if (isDeepStrictEqual({ ...user, ...change }, user)) throw new NothingToChange('The user has these values already')
    return change
  }
  const { user } = await changeUser(deps, input.email, decide, async (tx, { id }) => {
    if (newEmail !== undefined) await tx.oneTimeCodes.voidAllOfUser(id)
  })
  return toProfile(user)
}

/** Returns `values` with the given ones in place. A member that is `undefined` counts as left out. */
const replaced = <T extends object>(values: T, given: { readonly [K in keyof T]?: T[K] | undefined } = {}): T => ({
  ...values,
  ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
})

const changeOf = (user: User, { newEmail, name, employee, department }: UpdateUser): UserChange => {
  const profile = checkedProfile({
    email: newEmail ?? user.email,
    name: name ?? user.name,
    employee: replaced(user.employee, { ...employee, name: employee?.name ?? followingName(user, name) }),
    department: replaced(user.department, department),
    permissions: user.permissions,
  })
  checkedTokenSize(profile)
  return {
    name: profile.name,
    employee: profile.employee,
    department: profile.department,
    ...(newEmail !== undefined && { email: profile.email }),
  }
}
