import { characterCount, isStorable, limits } from '@countersign/contract'
import { Invalid } from '../../shared/errors.ts'
import { hasRoom, TOKEN_ROOM, type ToldUser, toldOf } from '../tokens/token-room.ts'
import { hasInvisible, isEmail, normaliseEmail } from './email.ts'
import { isPermission, toPermissionSet } from './permissions.ts'
import type { User } from './user.ts'

/** What the users' use cases take, checked. Each throws `Invalid` naming the field. */

export const checkedEmail = (text: string): string => {
  const email = normaliseEmail(text)
  if (hasInvisible(email)) throw new Invalid({ email: 'must have no invisible characters' })
  if (!isEmail(email)) throw new Invalid({ email: 'must be one email address of at most 254 characters' })
  return email
}

/**
 * 12 to 128 characters and nothing else asked of them (NIST SP 800-63B-4 §3.1.1.2), but that a login can say them: no
 * request is read in which there is a NUL or half a character.
 */
export const checkedPassword = (password: string): string => {
  const { min, max } = limits.passwordCharacters
  const count = characterCount(password)
  if (count < min || count > max) throw new Invalid({ password: `must be ${min} to ${max} characters` })
  if (!isStorable(password)) throw new Invalid({ password: 'must be text without NUL and unpaired surrogates' })
  return password
}

export const checkedPermissions = (permissions: readonly string[]): readonly string[] => {
  if (!permissions.every(isPermission)) {
    throw new Invalid({ permissions: 'must have the form <resource>.<action>, <resource>.* or *.*' })
  }
  return toPermissionSet(permissions)
}

/** What is said of a user, where tokens have room for it: each of these may be long, but not all of them. */
export const checkedRoom = <T extends ToldUser>(told: T): T => {
  if (hasRoom(toldOf(told))) return told
  throw new Invalid({
    permissions: `must take at most ${TOKEN_ROOM} bytes in a token, together with email, employee and department`,
  })
}

/** Half a character (an unpaired surrogate) is none that every database keeps. */
const PLAIN_TEXT = /^[^\p{Cc}\p{Cs}]{0,255}$/u

export const checkedLabel = (field: string, value: string): string => {
  if (!PLAIN_TEXT.test(value)) throw new Invalid({ [field]: 'must be at most 255 characters without control characters' })
  return value
}

/** What is said of a user beside how they log in. */
export interface ProfileInput {
  readonly email: string
  readonly name?: string | undefined
  readonly employee?: {
    readonly id?: string | undefined
    /** Like `name` where left out. */
    readonly name?: string | undefined
    readonly avatarFileId?: string | undefined
  }
  readonly department?: { readonly id?: string | undefined; readonly name?: string | undefined }
  /** `<resource>.<action>`, `<resource>.*` or `*.*`. */
  readonly permissions?: readonly string[]
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
