import { Invalid } from '../../shared/errors.ts'
import { type ListAll, type ListPosition, type Page, type PageQuery, readPage } from '../../shared/list-page.ts'
import type { IdentityStorage } from '../base-deps.ts'
import { requireUser } from './require-user.ts'

/** Returns the emails of users by id, in one read. Deleted users are missing. */
export const emailsOf = async ({ storage }: IdentityStorage, ids: readonly number[]): Promise<ReadonlyMap<number, string>> => {
  const users = await storage.users.list({ ids: [...new Set(ids)], limit: 1001 })
  return new Map(users.map(({ id, email }) => [id, email]))
}

/** An entry of a list across users, with the email of its user. */
export type WithEmail<T> = T & {
  /** `null` for a deleted user. */
  readonly email: string | null
}

/** Returns the id of the user whose entries are listed; `undefined` for all users. @throws UserNotFound for an unknown email */
const userOf = async (deps: IdentityStorage, { email, userId }: ListAll): Promise<number | undefined> => {
  if (email === undefined) return userId
  if (userId !== undefined) throw new Invalid({ userId: 'must not be given together with an email' })
  return (await requireUser(deps, email)).id
}

/** Reads a page of a list across users, and the emails of the users on the page. @throws UserNotFound for an unknown email */
export const listAll = async <T extends ListPosition & { readonly userId: number }>(
  deps: IdentityStorage,
  input: ListAll,
  read: (query: PageQuery) => Promise<readonly T[]>,
): Promise<Page<WithEmail<T>>> => {
  const { items, next } = await readPage(input, await userOf(deps, input), read)
  const users = items.map(({ userId }) => userId)
  const emails = await emailsOf(deps, users)
  return { items: items.map((item) => ({ ...item, email: emails.get(item.userId) ?? null })), next }
}
