import { characterCount, limits } from '@countersign/contract'
import { Invalid } from '../errors.ts'
import { isEmail, normaliseEmail } from './email.ts'
import { isPermission, toPermissionSet } from './permissions.ts'

/** What the users' use cases take, checked. Each throws `Invalid` naming the field. */

export const checkedEmail = (text: string): string => {
  const email = normaliseEmail(text)
  if (!isEmail(email)) throw new Invalid({ email: 'must be one email address of at most 254 characters' })
  return email
}

/** 12 to 128 characters and nothing else asked of them (NIST SP 800-63B-4 §3.1.1.2). */
export const checkedPassword = (password: string): string => {
  const { min, max } = limits.passwordCharacters
  const count = characterCount(password)
  if (count < min || count > max) throw new Invalid({ password: `must be ${min} to ${max} characters` })
  return password
}

export const checkedPermissions = (permissions: readonly string[]): readonly string[] => {
  if (!permissions.every(isPermission)) {
    throw new Invalid({ permissions: 'must have the form <resource>.<action>, <resource>.* or *.*' })
  }
  return toPermissionSet(permissions)
}

const PLAIN_TEXT = /^\P{Cc}{0,255}$/u

export const checkedLabel = (field: string, value: string): string => {
  if (!PLAIN_TEXT.test(value)) throw new Invalid({ [field]: 'must be at most 255 characters without control characters' })
  return value
}
