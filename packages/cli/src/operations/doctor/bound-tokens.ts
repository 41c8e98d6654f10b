import type { MigratedStorage } from '@countersign/core'
import { type Finding, warning } from './check.ts'

const PAGE = 1000

/** Returns the tenants in which no user has a permission. Reads users until a user of each tenant is found. */
const withoutUsers = async (
  { users }: Pick<MigratedStorage, 'users'>,
  tenants: ReadonlySet<string>,
): Promise<ReadonlySet<string>> => {
  const empty = new Set(tenants)
  for (let afterId = 0; empty.size > 0; ) {
    const page = await users.list({ afterId, limit: PAGE })
    for (const permission of page.flatMap(({ permissions }) => permissions)) {
      empty.delete(permission.slice(permission.indexOf('@') + 1))
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) break
    afterId = last.id
  }
  return empty
}

/** Returns the valid service tokens in whose tenants no user has a permission: each of their requests for a user gets 404. */
export const findTokensOfNobody = async (
  storage: Pick<MigratedStorage, 'serviceTokens' | 'users'>,
  now: number,
): Promise<readonly string[]> => {
  const all = await storage.serviceTokens.list()
  const bound = all.filter(({ within, revokedAt, expiresAt }) => within.length > 0 && revokedAt === null && expiresAt > now)
  const empty = await withoutUsers(storage, new Set(bound.flatMap(({ within }) => within)))
  return bound
    .filter(({ within }) => within.every((tenant) => empty.has(tenant)))
    .map(({ id, service, within }) => `${id} of ${service} (${within.join(', ')})`)
}

/** Warns of these tokens; `undefined` without one. */
export const examineBoundTokens = (tokens: readonly string[]): Finding | undefined =>
  tokens.length === 0
    ? undefined
    : warning(
        `no user holds a permission in the tenants of the service token ${tokens.join('; ')}: ` +
          'such a service asks and signs in only users who hold any permission there, such as tenant.member@acme',
      )
