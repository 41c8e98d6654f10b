import { type Expression, type SqlBool, sql } from 'kysely'

/** The value of a column that is part of a key: the tenants, or nothing for what is not bound. */
export const boundKey = (text: string | null): string => text ?? ''

type Text = Expression<string | null> | string | null

const asText = (text: Text) => sql<string | null>`cast(${text} as text)`

/**
 * The condition that something with these tenants, a JSON list, may act in a tenant (`isWithin`); NULL for no tenant. No tenant
 * has a quotation mark, so the list without the quoted tenant differs only if the tenant is in it.
 */
export const coversTenant = (tenants: Text, tenant: Text) =>
  sql<SqlBool>`(${asText(tenants)} is null
    or replace(${asText(tenants)}, '"' || ${asText(tenant)} || '"', '') <> ${asText(tenants)})`

/** The condition that something with these tenants reaches a confirmation (`reachesConfirmation`). */
export const reachesConfirmation = (tenants: Text) =>
  sql<SqlBool>`(${coversTenant(tenants, sql.ref('confirmations.tenant'))}
    or (${sql.ref('confirmations.tenant')} is null and ${sql.ref('confirmations.bound_to')} = ${asText(tenants)}))`

/** The condition that a column has exactly these tenants, or that both have none. */
export const hasSameBound = (column: Expression<string | null>, tenants: Text) =>
  sql<SqlBool>`coalesce(${column}, '') = coalesce(${asText(tenants)}, '')`
