import type { Logger } from '../../shared/logger.ts'
import type { User } from '../records/user.ts'

/** A user before and after a change of the permissions. */
export interface PermissionsChange {
  /** `undefined` for a new user. */
  readonly before: Pick<User, 'permissions'> | undefined
  readonly after: Pick<User, 'id' | 'permissions'>
}

/** The most users with a line of their own. Changes of more users are counted by permission. */
const MOST_LINES = 20

/** Writes who gained or lost which permission, for changes that no administrator made one at a time. */
export const logPermissions = (logger: Logger, by: 'import' | 'directory', changes: readonly PermissionsChange[]): void => {
  const without = (all: readonly string[], others: readonly string[]) => all.filter((one) => !others.includes(one))
  const log = (event: string, moved: (change: PermissionsChange) => readonly string[]) => {
    const moves = changes.map((change) => ({ userId: change.after.id, permissions: moved(change) }))
    const lines = moves.filter(({ permissions }) => permissions.length > 0)
    if (lines.length <= MOST_LINES) {
      for (const line of lines) logger.info(event, { ...line, by })
      return
    }
    const users = new Map<string, number>()
    for (const permission of lines.flatMap(({ permissions }) => permissions)) {
      users.set(permission, (users.get(permission) ?? 0) + 1)
    }
    for (const [permission, count] of users) logger.info(event, { permissions: [permission], users: count, by })
  }
  log('permissions_granted', ({ before, after }) => without(after.permissions, before?.permissions ?? []))
  log('permissions_revoked', ({ before, after }) => without(before?.permissions ?? [], after.permissions))
}
