import type { UserProfile } from '@countersign/core'
import { type Answer, withIsoTimestamps } from '../shared/output.ts'

export const toJson = (user: UserProfile) => ({
  ...withIsoTimestamps(user),
  disabled: user.disabledAt !== null,
  locked: user.lockedAt !== null,
})

export const toRow = ({ id, email, name, permissions, disabledAt }: UserProfile) => ({
  id,
  email,
  name,
  permissions,
  disabled: disabledAt !== null,
})

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ')

export const toFacts = (user: ReturnType<typeof toJson>) => ({
  id: user.id,
  email: user.email,
  name: user.name,
  employee: joined(user.employee.id, user.employee.name),
  department: joined(user.department.id, user.department.name),
  permissions: user.permissions,
  password: user.hasPassword,
  disabled: user.disabledAt ?? false,
  locked: user.lockedAt ?? false,
  created: user.createdAt,
  changed: user.updatedAt,
})

/** The answer after a change: the user for programs, a sentence for people. */
export const changed = (user: UserProfile, sentence: string): Answer => ({ json: toJson(user), text: sentence })

/** Returns the tenants in which a bound session, device or passkey acts, as words to append; an empty text if it is not bound. */
export const describeBound = (tenants: readonly string[] | null): string =>
  tenants === null ? '' : `, in ${tenants.join(' and ')} only`

interface Trust {
  readonly trusted: boolean
  readonly trustedAt: string | null
  readonly tenants: readonly string[] | null
}

/** Returns the trust of a device or passkey in words, for a table. */
export const describeTrust = ({ trusted, trustedAt, tenants }: Trust): string => {
  const where = describeBound(tenants)
  if (trusted) return `trusted${where}`
  return trustedAt === null ? `on probation${where}` : `from ${trustedAt}${where}`
}
