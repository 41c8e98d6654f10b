import { isDeepStrictEqual } from 'node:util'
import { Invalid } from '../../../shared/errors.ts'
import type { IdentityDeps } from '../../deps.ts'
import type { Delegation } from '../../records/delegation.ts'
import type { User, UserChange } from '../../records/user.ts'
import type { IdentityStores } from '../../stores.ts'
import { UserChangedMeanwhile } from '../../user-model/errors.ts'
import type { Grant } from '../../user-model/on-grant.ts'
import { checkedTokenSize, followingName } from '../../user-model/user-input.ts'
import { endLostDelegations, logEndedDelegations } from '../delegations.ts'
import { logPermissions, type PermissionsChange } from '../log-permissions.ts'
import type { CheckedLine, GivenMembers } from './check-line.ts'

/**
 * Returns what a line changes about a user, if anything. A hash is taken only if the user has no password, because it is older
 * than the password of a user who has logged in since. @throws Invalid if the changed user does not fit in a token
 */
const changeOf = (user: User, { passwordHash, employee, department, ...given }: GivenMembers): UserChange | undefined => {
  const followed = employee?.name === undefined ? followingName(user, given.name) : undefined
  const ofEmployee = followed === undefined ? employee : { ...employee, name: followed }
  const wanted: UserChange = {
    ...given,
    ...(ofEmployee !== undefined && { employee: { ...user.employee, ...ofEmployee } }),
    ...(department !== undefined && { department: { ...user.department, ...department } }),
    ...(passwordHash !== undefined && user.passwordHash === null && { passwordHash }),
  }
  checkedTokenSize({ ...user, ...wanted })
  const differs = Object.entries(wanted).some(([member, value]) => !isDeepStrictEqual(user[member as keyof User], value))
  return differs ? wanted : undefined
}

/** The treatment of a line whose email a user has: `skip` leaves the user unchanged, `update` changes the user. */
export type ExistingUsers = 'skip' | 'update'

/** The result of a line. The reason of a refused line never repeats the line. */
export type LineResult =
  | { readonly line: number; readonly outcome: 'created' | 'updated' | 'skipped' }
  | { readonly line: number; readonly outcome: 'refused'; readonly reason: string }

interface StoredLine {
  readonly result: LineResult
  readonly change?: PermissionsChange
  readonly ended?: readonly Delegation[]
}

const TRIES = 3

/** Returns a result for the line, or the reason for which the user cannot be changed. */
export const resultForExisting = (
  user: User,
  { line, given }: CheckedLine,
  existing: ExistingUsers,
): LineResult & { readonly change?: ReturnType<typeof changeOf> } => {
  if (existing === 'skip') return { line, outcome: 'skipped' }
  if (user.directoryId !== null) return { line, outcome: 'refused', reason: 'email: must not be that of a user of a directory' }
  try {
    const change = changeOf(user, given)
    return change === undefined ? { line, outcome: 'skipped' } : { line, outcome: 'updated', change }
  } catch (error) {
    if (error instanceof Invalid) return { line, outcome: 'refused', reason: error.message }
    throw error
  }
}

/** No approval comes with a file, so a host that gates grants refuses permissions. */
const grant = async (deps: IdentityDeps, tx: IdentityStores, grants: Omit<Grant, 'userId' | 'confirmationId'>): Promise<void> => {
  if (grants.granted.length > 0) await deps.onGrant(tx, { ...grants, userId: undefined, confirmationId: undefined })
}

/** Adds the users whose emails are free, and returns them. */
const create = async (deps: IdentityDeps, tx: IdentityStores, batch: readonly CheckedLine[]): Promise<readonly User[]> => {
  const createdAt = deps.clock.now()
  const created = await tx.users.create(batch.map(({ user }) => ({ ...user, createdAt })))
  for (const { email, permissions } of created) await grant(deps, tx, { email, granted: permissions, before: undefined })
  return created
}

const change = async (deps: IdentityDeps, tx: IdentityStores, user: User, line: CheckedLine): Promise<StoredLine> => {
  const { change: wanted, ...result } = resultForExisting(user, line, 'update')
  if (wanted === undefined) return { result }
  const changed = await tx.users.change(user.id, user.version, wanted, deps.clock.now())
  if (changed === undefined) throw new UserChangedMeanwhile()
  const granted = changed.permissions.filter((permission) => !user.permissions.includes(permission))
  await grant(deps, tx, { email: user.email, granted, before: user })
  const ended = await endLostDelegations(tx, changed, wanted, deps.clock.now())
  return { result, change: { before: user, after: changed }, ended }
}

const storeIn = async (deps: IdentityDeps, tx: IdentityStores, batch: readonly CheckedLine[], existing: ExistingUsers) => {
  const created = new Map((await create(deps, tx, batch)).map((user) => [user.email, user]))
  const others = batch.filter(({ user }) => !created.has(user.email))
  const known = existing === 'skip' ? [] : await tx.users.list({ emails: others.map(({ user }) => user.email), limit: 500 })
  const byEmail = new Map(known.map((user) => [user.email, user]))
  const stored: StoredLine[] = []
  for (const line of batch) {
    const user = byEmail.get(line.user.email)
    const after = created.get(line.user.email)
    if (after) stored.push({ result: { line: line.line, outcome: 'created' }, change: { before: undefined, after } })
    else if (user === undefined) stored.push({ result: { line: line.line, outcome: 'skipped' } })
    else stored.push(await change(deps, tx, user, line))
  }
  return stored
}

/**
 * Stores the users of a batch with different emails in one transaction.
 * @throws UserChangedMeanwhile if others keep changing one, ConfirmationRequired for permissions if the host gates grants
 */
export const storeBatch = async (deps: IdentityDeps, batch: readonly CheckedLine[], existing: ExistingUsers) => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const stored = await deps.storage.transaction((tx) => storeIn(deps, tx, batch, existing))
      const changes = stored.flatMap(({ change }) => change ?? [])
      const delegations = stored.flatMap(({ ended = [] }) => ended)
      logPermissions(deps.logger, 'import', changes)
      logEndedDelegations(deps.logger, delegations)
      return stored.map(({ result }) => result)
    } catch (error) {
      if (!(error instanceof UserChangedMeanwhile) || attempt === TRIES) throw error
    }
  }
}
