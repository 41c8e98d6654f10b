import type { DirectoryUser, UserDirectory } from '@countersign/core'
import type { Member, Members } from './members.ts'

const permissionsOf: Readonly<Record<Member['role'], readonly string[]>> = {
  admin: ['*.*'],
  member: ['project.read'],
}

const toUser = ({ id, email, displayName, team, role, passwordHash, leftOn }: Member): DirectoryUser => ({
  // `autoincrement` gives no id twice. Where a database does, the id is no name for good: bring another.
  id: String(id),
  email,
  name: displayName,
  department: { name: team },
  permissions: permissionsOf[role],
  passwordHash,
  disabled: leftOn !== null,
})

/** The members of the host as the users of Countersign. Asks the table each time, so that what it says holds at once. */
export const memberDirectory = (members: Pick<Members, 'byEmail' | 'byId'>): UserDirectory => {
  const found = (member: Member | undefined): DirectoryUser | undefined => member && toUser(member)
  return {
    byEmail: async (email) => found(members.byEmail(email)),
    byId: async (id) => found(members.byId(Number(id))),
  }
}
