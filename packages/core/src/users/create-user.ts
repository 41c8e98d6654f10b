import type { Deps } from '../deps.ts'
import { EmailTaken } from './errors.ts'
import { toProfile, type UserProfile } from './user.ts'
import { checkedEmail, checkedLabel, checkedPassword, checkedPermissions } from './user-input.ts'

export interface CreateUser {
  readonly email: string
  /** 12 to 128 characters. Left out: the user cannot log in by password. */
  readonly password?: string | undefined
  readonly name?: string | undefined
  readonly employee?: {
    readonly id?: string | undefined
    readonly name?: string | undefined
    readonly avatarFileId?: string | undefined
  }
  readonly department?: { readonly id?: string | undefined; readonly name?: string | undefined }
  readonly permissions?: readonly string[]
}

/** Adds a user. @throws Invalid, EmailTaken */
export const createUser = async (
  { storage, passwords, clock }: Pick<Deps, 'storage' | 'passwords' | 'clock'>,
  input: CreateUser,
): Promise<UserProfile> => {
  const email = checkedEmail(input.email)
  const name = checkedLabel('name', input.name ?? '')
  const employee = {
    id: checkedLabel('employee.id', input.employee?.id ?? ''),
    name: checkedLabel('employee.name', input.employee?.name ?? name),
    avatarFileId: checkedLabel('employee.avatarFileId', input.employee?.avatarFileId ?? ''),
  }
  const department = {
    id: checkedLabel('department.id', input.department?.id ?? ''),
    name: checkedLabel('department.name', input.department?.name ?? ''),
  }
  const permissions = checkedPermissions(input.permissions ?? [])
  const passwordHash = input.password === undefined ? null : await passwords.hash(checkedPassword(input.password))

  const user = await storage.users.create({
    email,
    name,
    employee,
    department,
    permissions,
    passwordHash,
    createdAt: clock.now(),
  })
  if (user === undefined) throw new EmailTaken()
  return toProfile(user)
}
