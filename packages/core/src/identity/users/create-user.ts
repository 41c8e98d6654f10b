import { objectWith, text, textList } from '../../shared/input-schemas.ts'
import type { IdentityDeps } from '../deps.ts'
import { EmailTaken, UsersKeptElsewhere } from './errors.ts'
import { toProfile, type UserProfile } from './user.ts'
import { checkedPassword, checkedProfile, checkedTokenSize, type ProfileInput } from './user-input.ts'

/** The input for a new user. */
export interface CreateUser extends ProfileInput {
  /** 12 to 128 characters. Without a password, the user cannot log in by password. */
  readonly password?: string | undefined
}

/** The types of the members of `CreateUser`. */
export const createUserShape = {
  email: text,
  password: text.optional(),
  name: text.optional(),
  employee: objectWith({ id: text.optional(), name: text.optional(), avatarFileId: text.optional() }).optional(),
  department: objectWith({ id: text.optional(), name: text.optional() }).optional(),
  permissions: textList.optional(),
}

/** Creates a user. @throws Invalid, EmailTaken, and UsersKeptElsewhere where the host has a directory */
export const createUser = async (
  { storage, users, passwords, clock }: Pick<IdentityDeps, 'storage' | 'users' | 'passwords' | 'clock'>,
  input: CreateUser,
): Promise<UserProfile> => {
  if (users.areKeptElsewhere) throw new UsersKeptElsewhere()
  const profile = checkedTokenSize(checkedProfile(input))
  const passwordHash = input.password === undefined ? null : await passwords.hash(checkedPassword(input.password))

  const user = await storage.users.create({ ...profile, directoryId: null, passwordHash, createdAt: clock.now() })
  if (user === undefined) throw new EmailTaken()
  return toProfile(user)
}
