import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Instant } from '../../shared/clock.ts'
import type { IdentityDeps } from '../deps.ts'
import type { IdentityStores } from '../stores.ts'
import type { DirectoryUser, UserDirectory } from './directory.ts'
import { UserDirectoryMistake } from './directory-mistake.ts'
import { UserChangedMeanwhile } from './errors.ts'
import type { UserChange } from './store.ts'
import type { User } from './user.ts'
import { checkedLabel, checkedProfile } from './user-input.ts'

export interface MirrorDeps extends Pick<IdentityDeps, 'storage' | 'clock'> {
  readonly directory: UserDirectory
}

/** What stands for a hash in the storage: it tells another hash from this one, and is of no use to who steals it. */
export const passwordMark = (hash: string | null): string | null =>
  hash === null ? null : `directory:${createHash('sha256').update(hash).digest('base64url')}`

type AskedUser = Pick<DirectoryUser, 'id' | 'passwordHash' | 'disabled'> & { readonly profile: ReturnType<typeof checkedProfile> }

/** What a directory answered, checked. @throws UserDirectoryMistake */
export const askedUser = (answer: DirectoryUser | undefined): AskedUser | undefined => {
  if (answer === undefined) return undefined
  const { id, passwordHash, disabled } = answer
  try {
    if (checkedLabel('id', id) === '') throw new Error('id: must not be empty')
    return { id, passwordHash, disabled, profile: checkedProfile(answer) }
  } catch (cause) {
    // Not the caller's mistake, so not `Invalid`. What the directory said is not repeated.
    const why = cause instanceof Error ? cause.message : 'unknown'
    throw new UserDirectoryMistake(`the user directory answered with a user whose ${why}`, { cause })
  }
}

/** What the row must become to say what the directory says; `undefined` where it does. Who is gone is as one who is disabled. */
const changeOf = (row: User, user: AskedUser | undefined, now: Instant): UserChange | undefined => {
  const disabledAt = user === undefined || user.disabled ? (row.disabledAt ?? now) : null
  const wanted: UserChange =
    user === undefined ? { disabledAt } : { ...user.profile, passwordHash: passwordMark(user.passwordHash), disabledAt }
  const differing = Object.entries(wanted).filter(([member, value]) => !isDeepStrictEqual(row[member as keyof User], value))
  return differing.length === 0 ? undefined : Object.fromEntries(differing)
}

/** What a change means for the sessions that are open. */
const endSessions = async (tx: IdentityStores, { id, disabledAt }: User, change: UserChange, now: Instant): Promise<void> => {
  if (disabledAt !== null) await tx.sessions.endAllOfUser(id, 'user_disabled', now)
  else if (change.passwordHash !== undefined) await tx.sessions.endAllOfUser(id, 'password_changed', now)
}

/**
 * Takes an email from the row of somebody else who has it no more in the directory. What they are called there now, their own
 * row learns when they are asked for. @throws UserDirectoryMistake where it is theirs after all
 */
const freeEmail = async ({ storage, directory, clock }: MirrorDeps, { id, profile: { email } }: AskedUser): Promise<void> => {
  const holder = await storage.users.byEmail(email)
  if (holder === undefined || holder.directoryId === id) return
  if (holder.directoryId === null) {
    throw new UserDirectoryMistake('the user directory has a user with the email of one who is kept in the storage')
  }
  const user = askedUser(await directory.byId(holder.directoryId))
  if (user?.profile.email === email) throw new UserDirectoryMistake('the user directory has two users with one email')
  // Of no address (RFC 2606 §2).
  await storage.users.change(holder.id, holder.version, { email: `user-${holder.id}@directory.invalid` }, clock.now())
}

const TRIES = 5

/**
 * Asks the directory for a user and brings their row up to date, making it where there is none. What the directory says
 * is written only on the version that the row had before it was asked: of two that ask at once, an older answer never
 * replaces a newer one.
 *
 * @returns the row; `undefined` where there is none, and none to be made: the user is gone, or disabled
 * @throws UserDirectoryMistake, UserChangedMeanwhile
 */
export const mirrorUser = async (deps: MirrorDeps, directoryId: string, known?: User): Promise<User | undefined> => {
  const { storage, directory, clock } = deps
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const row = attempt === 0 && known !== undefined ? known : await storage.users.byDirectoryId(directoryId)
    const user = askedUser(await directory.byId(directoryId))
    if (user !== undefined && user.id !== directoryId)
      throw new UserDirectoryMistake('the user directory answered with another user')
    const now = clock.now()
    const written = row === undefined ? await create(deps, user, now) : await update(deps, row, user, now)
    if (written !== 'taken') return written
    if (user !== undefined && user.profile.email !== row?.email) await freeEmail(deps, user)
  }
  throw new UserChangedMeanwhile()
}

const create = async (
  { storage }: MirrorDeps,
  user: AskedUser | undefined,
  now: Instant,
): Promise<User | undefined | 'taken'> => {
  if (user === undefined || user.disabled) return undefined
  const { id, profile, passwordHash } = user
  const created = await storage.users.create({
    ...profile,
    directoryId: id,
    passwordHash: passwordMark(passwordHash),
    createdAt: now,
  })
  return created ?? 'taken'
}

const update = async ({ storage }: MirrorDeps, row: User, user: AskedUser | undefined, now: Instant): Promise<User | 'taken'> => {
  const change = changeOf(row, user, now)
  if (change === undefined) return row
  const changed = await storage.transaction(async (tx) => {
    const next = await tx.users.change(row.id, row.version, change, now)
    if (next !== undefined) await endSessions(tx, next, change, now)
    return next
  })
  return changed ?? 'taken'
}
