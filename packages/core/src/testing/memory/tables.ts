import type { LoginFailures } from '../../auth/login-failures.ts'
import type { Challenge } from '../../challenges/challenge.ts'
import type { Confirmation } from '../../confirmations/confirmation.ts'
import type { Device } from '../../devices/device.ts'
import type { Instant } from '../../ports/clock.ts'
import type { ServiceToken } from '../../service-tokens/service-token.ts'
import type { Session } from '../../sessions/session.ts'
import type { User } from '../../users/user.ts'

/** A device as it is kept: a removed one stays for the record. */
export interface DeviceRow {
  readonly device: Device
  readonly removedAt: Instant | null
}

export interface RateLimitRow {
  /** When the bucket is full again. */
  readonly fullAt: Instant
  /** The latest `windowMax` times at which a request was allowed, earliest first. */
  readonly allowedAt: readonly Instant[]
  /** From here on the row says nothing that an absent one would not. */
  readonly idleAt: Instant
}

/** Everything the database holds. Rows are never changed in place, so a copy of the maps is a copy of it all. */
export interface Tables {
  readonly users: Map<number, User>
  readonly sessions: Map<string, Session>
  readonly loginFailures: Map<string, LoginFailures>
  readonly devices: Map<string, DeviceRow>
  readonly challenges: Map<string, Challenge>
  readonly confirmations: Map<string, Confirmation>
  readonly serviceTokens: Map<string, ServiceToken>
  readonly rateLimits: Map<string, RateLimitRow>
  lastUserId: number
}

export const emptyTables = (): Tables => ({
  users: new Map(),
  sessions: new Map(),
  loginFailures: new Map(),
  devices: new Map(),
  challenges: new Map(),
  confirmations: new Map(),
  serviceTokens: new Map(),
  rateLimits: new Map(),
  lastUserId: 0,
})

export const copyTables = (tables: Tables): Tables => ({
  users: new Map(tables.users),
  sessions: new Map(tables.sessions),
  loginFailures: new Map(tables.loginFailures),
  devices: new Map(tables.devices),
  challenges: new Map(tables.challenges),
  confirmations: new Map(tables.confirmations),
  serviceTokens: new Map(tables.serviceTokens),
  rateLimits: new Map(tables.rateLimits),
  lastUserId: tables.lastUserId,
})

/** Adds a row. A primary key that is taken is a mistake of the caller, as in any database. */
export const insert = <K, R>(table: Map<K, R>, key: K, row: R): void => {
  if (table.has(key)) throw new Error('a row with this primary key exists')
  table.set(key, structuredClone(row))
}

/** Replaces the row of `key` where it is there and `condition` holds of it; returns the new row, else `undefined`. */
export const replaceWhere = <K, R>(
  table: Map<K, R>,
  key: K,
  condition: (row: R) => boolean,
  replacement: (row: R) => R,
): R | undefined => {
  const row = table.get(key)
  if (row === undefined || !condition(row)) return undefined
  const next = structuredClone(replacement(row))
  table.set(key, next)
  return next
}

/** Deletes the rows of which `condition` holds; tells how many. */
export const deleteWhere = <K, R>(table: Map<K, R>, condition: (row: R) => boolean): number => {
  const before = table.size
  for (const [key, row] of table) if (condition(row)) table.delete(key)
  return before - table.size
}

/**
 * Runs one step on the tables when its turn comes and resolves to a copy of what it returns. A step is synchronous, so
 * it is atomic.
 */
export type Run = <T>(step: (tables: Tables) => T) => Promise<T>

/** By falling time of creation; the id decides between equals, so that an order is always the same. */
export const newestFirst = (a: { createdAt: Instant; id: string }, b: { createdAt: Instant; id: string }): number =>
  b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)
