import type { IdentityStorage } from '../base-deps.ts'

/** Returns the emails of users by id, in one read. Deleted users are missing. */
export const emailsOf = async ({ storage }: IdentityStorage, ids: readonly number[]): Promise<ReadonlyMap<number, string>> => {
  const users = await storage.users.list({ ids: [...new Set(ids)], limit: 1001 })
  return new Map(users.map(({ id, email }) => [id, email]))
}
