import type { DirectoryUser, UserDirectory } from '@countersign/core'
import type { Member, Members } from './members.ts'

const permissionsOf: Readonly<Record<Member['role'], readonly string[]>> = {
  admin: ['*.*'],
  member: ['project.read'],
}

const toUser = ({ id, email, displayName, team, role, passwordHash, leftOn }: Member): DirectoryUser => ({
  // `autoincrement` never reuses an id. If your database reuses ids, use another permanent id.
  id: String(id),
  email,
  name: displayName,
  department: { name: team },
  permissions: permissionsOf[role],
  passwordHash,
  disabled: leftOn !== null,
})

/**
 * Returns the members of the host as users of Countersign. Each call reads the table, so that changes take effect
 * immediately.
 */
export const memberDirectory = (members: Pick<Members, 'byEmail' | 'byId'>): UserDirectory => {
  const found = (member: Member | undefined): DirectoryUser | undefined => member && toUser(member)
  return {
    byEmail: async (email) => found(members.byEmail(email)),
    byId: async (id) => found(members.byId(Number(id))),
  }
}
