import { checkedLabel } from '../../shared/check-label.ts'
import { Invalid } from '../../shared/errors.ts'
import { objectWith, text } from '../../shared/input-schemas.ts'
import { fitsInToken, TOKEN_ROOM, type TokenUserData, tokenUserData } from '../records/token-room.ts'
import type { User } from '../records/user.ts'
import { complaintAboutEmail, normaliseEmail } from './email.ts'
import { isPermission, toPermissionSet } from './permissions.ts'

/** The checks of user input. Each throws `Invalid` naming the field. */

export const checkedEmail = (given: string): string => {
  const email = normaliseEmail(given)
  const complaint = complaintAboutEmail(email)
  if (complaint !== undefined) throw new Invalid({ email: complaint })
  return email
}

export const checkedPermissions = (permissions: readonly string[]): readonly string[] => {
  if (permissions.every(isPermission)) return toPermissionSet(permissions)
  throw new Invalid({ permissions: 'must have the form <resource>.<action>, <resource>.* or *.*, each also with @<tenant>' })
}

/** Checks that the user data fits in a token. Each field alone may be long, but not all of them together. */
export const checkedTokenSize = <T extends TokenUserData>(told: T): T => {
  if (fitsInToken(tokenUserData(told))) return told
  throw new Invalid({
    permissions: `must take at most ${TOKEN_ROOM} bytes in a token, together with email, employee and department`,
  })
}

/** The profile of a user, without credentials. */
export interface ProfileInput {
  readonly email: string
  readonly name?: string | undefined
  /** Of a new user, the `name` of the employee is the name of the user by default. */
  readonly employee?:
    | { readonly id?: string | undefined; readonly name?: string | undefined; readonly avatarFileId?: string | undefined }
    | undefined
  readonly department?: { readonly id?: string | undefined; readonly name?: string | undefined } | undefined
  /** `<resource>.<action>`, `<resource>.*` or `*.*`; after `@` the only tenant in which it applies. */
  readonly permissions?: readonly string[]
}

/** The types of the members of a profile, besides the email and the permissions. */
export const profileShape = {
  name: text.optional(),
  employee: objectWith({ id: text.optional(), name: text.optional(), avatarFileId: text.optional() }).optional(),
  department: objectWith({ id: text.optional(), name: text.optional() }).optional(),
}

export const checkedProfile = (input: ProfileInput): Pick<User, 'email' | 'name' | 'employee' | 'department' | 'permissions'> => {
  const email = checkedEmail(input.email)
  const name = checkedLabel('name', input.name ?? '')
  return {
    email,
    name,
    employee: {
      id: checkedLabel('employee.id', input.employee?.id ?? ''),
      name: checkedLabel('employee.name', input.employee?.name ?? name),
      avatarFileId: checkedLabel('employee.avatarFileId', input.employee?.avatarFileId ?? ''),
    },
    department: {
      id: checkedLabel('department.id', input.department?.id ?? ''),
      name: checkedLabel('department.name', input.department?.name ?? ''),
    },
    permissions: checkedPermissions(input.permissions ?? []),
  }
}

/** Returns the new name of the employee if the user gets a new name and the two were the same; otherwise `undefined`. */
export const followingName = (user: Pick<User, 'name' | 'employee'>, name: string | undefined): string | undefined =>
  user.employee.name === user.name ? name : undefined
