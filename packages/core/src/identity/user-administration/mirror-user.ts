import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { checkedLabel } from '../../shared/check-label.ts'
import type { Instant } from '../../shared/clock.ts'
import { type HostClient, withinTransaction } from '../../shared/host-client.ts'
import type { IdentityDeps } from '../deps.ts'
import type { User, UserChange } from '../records/user.ts'
import { endForNewPassword } from '../sessions/undo-ended-sessions.ts'
import type { IdentityStores } from '../stores.ts'
import { type DirectoryUser, type UserDirectory, UserDirectoryMistake } from '../user-model/directory.ts'
import { UserChangedMeanwhile } from '../user-model/errors.ts'
import { checkedProfile } from '../user-model/user-input.ts'
import { closeAccount } from './close-account.ts'
import { endLostDelegations, logEndedDelegations } from './delegations.ts'
import { logPermissions } from './log-permissions.ts'

export interface MirrorDeps extends Pick<IdentityDeps, 'storage' | 'clock' | 'endings' | 'logger'> {
  readonly directory: UserDirectory
  /** The client of the host if the storage is its transaction. */
  readonly client?: HostClient | undefined
}

/** Returns a digest of a directory password hash, which detects a changed hash and is useless to an attacker. */
export const passwordMark = (hash: string | null): string | null =>
  hash === null ? null : `directory:${createHash('sha256').update(hash).digest('base64url')}`

type CheckedAnswer = Pick<DirectoryUser, 'id' | 'passwordHash' | 'disabled'> & {
  readonly profile: ReturnType<typeof checkedProfile>
}

/** Checks the answer of a directory. @throws UserDirectoryMistake */
export const checkedAnswer = (answer: DirectoryUser | undefined): CheckedAnswer | undefined => {
  if (answer === undefined) return undefined
  const { id, passwordHash, disabled } = answer
  try {
    if (checkedLabel('id', id) === '') throw new Error('id: must not be empty')
    return { id, passwordHash, disabled, profile: checkedProfile(answer) }
  } catch (cause) {
    // The host is at fault, not the caller, so the error is not `Invalid`. The message never repeats the answer.
    const why = cause instanceof Error ? cause.message : 'unknown'
    throw new UserDirectoryMistake(`the user directory answered with a user whose ${why}`, { cause })
  }
}

const askDirectory = async ({ directory, client }: MirrorDeps, id: string): Promise<CheckedAnswer | undefined> =>
  checkedAnswer(await (client === undefined ? directory.byId(id) : directory.byId(id, withinTransaction(client))))

/** Returns the change that brings the row up to date, if one is needed. A user who no longer exists counts as disabled. */
const changeOf = (row: User, user: CheckedAnswer | undefined, now: Instant): UserChange | undefined => {
  const disabledAt = user === undefined || user.disabled ? (row.disabledAt ?? now) : null
  const wanted: UserChange =
    user === undefined ? { disabledAt } : { ...user.profile, passwordHash: passwordMark(user.passwordHash), disabledAt }
  const differing = Object.entries(wanted).filter(([member, value]) => !isDeepStrictEqual(row[member as keyof User], value))
  return differing.length === 0 ? undefined : Object.fromEntries(differing)
}

/** Ends what a change invalidates, as `disableUser` and `setPassword` do. Returns the settled confirmations. */
const endSessions = async (deps: MirrorDeps, tx: IdentityStores, { id, disabledAt }: User, change: UserChange, now: Instant) => {
  if (disabledAt !== null) return (await closeAccount(deps, tx, id, 'user_disabled', now)).settled
  return change.passwordHash === undefined ? [] : (await endForNewPassword(deps, tx, id, now)).settled
}

/**
 * Frees an email from the row of another user who no longer has it in the directory, and who gets the new one at the next look-up.
 * @throws UserDirectoryMistake if the other user still has the email
 */
const freeEmail = async (deps: MirrorDeps, { id, profile: { email } }: CheckedAnswer): Promise<void> => {
  const { storage, clock } = deps
  const holder = await storage.users.byEmail(email)
  if (holder === undefined || holder.directoryId === id) return
  if (holder.directoryId === null) {
    throw new UserDirectoryMistake('the user directory has a user with the email of one who is kept in the storage')
  }
  const user = await askDirectory(deps, holder.directoryId)
  if (user?.profile.email === email) throw new UserDirectoryMistake('the user directory has two users with one email')
  // An address that cannot exist (RFC 2606 §2).
  await storage.users.change(holder.id, holder.version, { email: `user-${holder.id}@directory.invalid` }, clock.now())
}

const TRIES = 5

/**
 * Looks up a user in the directory, and creates or updates the row, if nobody changed the row since it was read: an older answer
 * never replaces a newer one. Returns `undefined` if no row exists and the user is unknown or disabled.
 * @throws UserDirectoryMistake, UserChangedMeanwhile
 */
export const mirrorUser = async (deps: MirrorDeps, directoryId: string, known?: User): Promise<User | undefined> => {
  const { storage, clock } = deps
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const row = attempt === 0 && known !== undefined ? known : await storage.users.byDirectoryId(directoryId)
    const user = await askDirectory(deps, directoryId)
    if (user !== undefined && user.id !== directoryId)
      throw new UserDirectoryMistake('the user directory answered with another user')
    const now = clock.now()
    const written = row === undefined ? await create(deps, user, now) : await update(deps, row, user, now)
    if (written !== 'taken') return written
    if (user !== undefined && user.profile.email !== row?.email) await freeEmail(deps, user)
  }
  throw new UserChangedMeanwhile()
}

/** Brings the row of a user up to date with an answer that the directory has just given. Most rows need no statement. */
export const mirrorAnswer = async (deps: MirrorDeps, row: User, answer: CheckedAnswer | undefined): Promise<User | undefined> => {
  const written = await update(deps, row, answer, deps.clock.now())
  return written === 'taken' ? mirrorUser(deps, row.directoryId ?? '') : written
}

const create = async ({ storage, logger }: MirrorDeps, user: CheckedAnswer | undefined, now: Instant) => {
  if (user === undefined || user.disabled) return undefined
  const { id, profile, passwordHash } = user
  const row = { ...profile, directoryId: id, passwordHash: passwordMark(passwordHash), createdAt: now }
  const [created] = await storage.users.create([row])
  if (created !== undefined) logPermissions(logger, 'directory', [{ before: undefined, after: created }])
  return created ?? 'taken'
}

const update = async (deps: MirrorDeps, row: User, user: CheckedAnswer | undefined, now: Instant): Promise<User | 'taken'> => {
  const change = changeOf(row, user, now)
  if (change === undefined) return row
  const changed = await deps.storage.transaction(async (tx) => {
    const user = await tx.users.change(row.id, row.version, change, now)
    if (user === undefined) return undefined
    const ended = await endLostDelegations(tx, user, change, now)
    return { user, ended, settled: await endSessions(deps, tx, user, change, now) }
  })
  if (changed === undefined) return 'taken'
  deps.endings.announce(changed.settled)
  logPermissions(deps.logger, 'directory', [{ before: row, after: changed.user }])
  logEndedDelegations(deps.logger, changed.ended)
  return changed.user
}
