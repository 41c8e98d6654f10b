import type { DirectoryUser, UserDirectory } from '@countersign/core'
import type { Members, PermittedMember } from './members.ts'

const toUser = ({ id, email, displayName, team, permissions, passwordHash, leftOn }: PermittedMember): DirectoryUser => ({
  // `autoincrement` never reuses an id. If your database reuses ids, use another permanent id.
  id: String(id),
  email,
  name: displayName,
  department: { name: team },
  permissions,
  passwordHash,
  disabled: leftOn !== null,
})

/** Returns every permission that grants this one: by its name or by a wildcard, everywhere or in the tenant. */
const granting = (permission: string, tenant: string | null): readonly string[] => {
  const everywhere = [permission, permission.replace(/\..*/, '.*'), '*.*']
  return tenant === null ? everywhere : [...everywhere, ...everywhere.map((one) => `${one}@${tenant}`)]
}

/**
 * Returns the members of the host as users of Countersign. Each call reads the table, so that changes take effect
 * immediately.
 */
export const memberDirectory = (members: Pick<Members, 'byEmail' | 'byId' | 'holdersOf'>): UserDirectory => {
  const found = (member: PermittedMember | undefined): DirectoryUser | undefined => member && toUser(member)
  return {
    byEmail: async (email) => found(members.byEmail(email)),
    byId: async (id) => found(members.byId(Number(id))),
    // Without this method, nobody can be asked for an approval by several people.
    holdersOf: async (permission, tenant, limit) => members.holdersOf(granting(permission, tenant), limit).map(toUser),
  }
}
