import type { DirectoryUser, UserDirectory } from '../identity/user-model/directory.ts'
import { normaliseEmail } from '../identity/user-model/email.ts'
import { mayDo } from '../identity/user-model/permissions.ts'

/** A user directory in memory. */
export interface MemoryDirectory extends Required<UserDirectory> {
  /** Adds a user. Returns the new id. */
  add(user: Omit<DirectoryUser, 'id'>): Promise<string>
  change(id: string, change: Partial<Omit<DirectoryUser, 'id'>>): Promise<void>
  remove(id: string): Promise<void>
}

export const memoryDirectory = (): MemoryDirectory => {
  const people = new Map<string, DirectoryUser>()
  let last = 0
  return {
    byEmail: async (email) => [...people.values()].find((one) => normaliseEmail(one.email) === email),
    byId: async (id) => people.get(id),
    holdersOf: async (permission, tenant, limit) =>
      [...people.values()]
        .filter(({ permissions = [], disabled }) => !disabled && mayDo(permissions, permission as `${string}.${string}`, tenant))
        .slice(0, limit),
    add: async (user) => {
      last += 1
      const id = `host-${last}`
      people.set(id, { ...user, id })
      return id
    },
    change: async (id, change) => {
      const user = people.get(id)
      if (user !== undefined) people.set(id, { ...user, ...change })
    },
    remove: async (id) => {
      people.delete(id)
    },
  }
}
