import type { Input } from '@countersign/contract'
import { Invalid } from '../../shared/errors.ts'
import type { IdentityStorage } from '../base-deps.ts'
import type { IdentityDeps } from '../deps.ts'
import type { User } from '../records/user.ts'
import { isPlainSpelling, normaliseEmail } from '../user-model/email.ts'

/** A user, named by exactly one of the id in Countersign, the id in the directory of the host and the email. */
export type NamedUser = Input<'sessions.open'>['user']

/** Returns the spelling of an email with which a host names a user. @throws Invalid for an email that is only similar to it */
const spellingOf = (email: string): string => {
  if (!isPlainSpelling(email)) {
    throw new Invalid({ 'user.email': 'must be an email that NFKC does not change; name the user by id or directoryId' })
  }
  return normaliseEmail(email)
}

/** Returns the stored user; `undefined` for an unknown user. The directory of the host is not asked. @throws as `spellingOf` */
export const storedUser = async (deps: IdentityStorage, { id, directoryId, email }: NamedUser): Promise<User | undefined> => {
  const { users } = deps.storage
  if (typeof id === 'number') return users.byId(id)
  if (typeof directoryId === 'string') return users.byDirectoryId(directoryId)
  return users.byEmail(spellingOf(email ?? ''))
}

/**
 * Returns the user as of now; a user of the host's directory is stored. Returns `undefined` for an unknown user, and `disabled`
 * for the email of a disabled or refused user whose row cannot be returned.
 */
export const currentUser = async ({ users }: IdentityDeps, { id, directoryId, email }: NamedUser) => {
  if (typeof id === 'number') return users.byId(id)
  if (typeof directoryId === 'string') return users.byDirectoryId(directoryId)
  const candidate = await users.byEmail(spellingOf(email ?? ''))
  const isKnown = candidate?.barred !== undefined && candidate.barred !== 'no_directory'
  return (await candidate?.recognise()) ?? (isKnown ? 'disabled' : undefined)
}
