import type { Confirmation } from '../../approvals/confirmations/confirmation.ts'
import type { Challenge } from '../../identity/challenges/challenge.ts'
import type { DecoyProfile } from '../../identity/decoys/decoy-profile.ts'
import type { Device } from '../../identity/devices/device.ts'
import type { LoginFailures } from '../../identity/login/login-failures.ts'
import type { Passkey } from '../../identity/passkeys/passkey.ts'
import type { ServiceToken } from '../../identity/service-tokens/service-token.ts'
import type { Session } from '../../identity/sessions/session.ts'
import type { User } from '../../identity/users/user.ts'
import type { Customer } from '../../projects/customers/customer.ts'
import type { Expense } from '../../projects/expenses/expense.ts'
import { builtInSchemas } from '../../projects/product-schemas/built-in-schemas.ts'
import { type ProductSchemaWithText, productSchemaKey } from '../../projects/product-schemas/product-schema.ts'
import type { NewProject } from '../../projects/projects/store.ts'
import type { Resource } from '../../projects/resources/resource.ts'
import type { Instant } from '../../shared/clock.ts'

/** A device as it is kept: a removed one stays for the record. */
export interface DeviceRow {
  readonly device: Device
  readonly removedAt: Instant | null
}

/** A challenge as it is kept: a used one of a user stays for a while. */
export interface ChallengeRow {
  readonly challenge: Challenge
  readonly usedAt: Instant | null
}

export interface LoginFailuresRow extends LoginFailures {
  /** The account counts the client as known until then. */
  readonly knownUntil: Instant
}

export interface RateLimitRow {
  /** When the bucket is full again. */
  readonly fullAt: Instant
  /** The latest `windowMax` times at which a request was allowed, earliest first. */
  readonly allowedAt: readonly Instant[]
  /** From here on the row says nothing that an absent one would not. */
  readonly idleAt: Instant
}

/** A project as it is kept: a removed one stays for the record, with who removed it. */
export interface ProjectRow {
  readonly project: NewProject
  readonly removedAt: Instant | null
  readonly removedBy: number | null
}

/** A line of an import that waits to count. */
export interface StagedRow<T> {
  readonly importId: string
  readonly stagedAt: Instant
  readonly entry: T
}

/** Everything the database holds. Rows are never changed in place, so a copy of the maps is a copy of it all. */
export interface Tables {
  readonly users: Map<number, User>
  readonly sessions: Map<string, Session>
  /** By client of an account. */
  readonly loginFailures: Map<string, LoginFailuresRow>
  /** When the bucket of an account is full again. */
  readonly loginCeilings: Map<string, Instant>
  readonly devices: Map<string, DeviceRow>
  /** By user. */
  readonly userHandles: Map<number, string>
  /** By user and credential id. */
  readonly passkeys: Map<string, Passkey>
  /** By number. */
  readonly decoyProfiles: Map<number, DecoyProfile>
  readonly challenges: Map<string, ChallengeRow>
  readonly confirmations: Map<string, Confirmation>
  readonly serviceTokens: Map<string, ServiceToken>
  readonly rateLimits: Map<string, RateLimitRow>
  readonly customers: Map<string, Customer>
  readonly projects: Map<string, ProjectRow>
  /** The last number given out, by year. */
  readonly projectNumbers: Map<number, number>
  readonly productSchemas: Map<string, ProductSchemaWithText>
  readonly resources: Map<string, Resource>
  readonly stagedResources: Map<string, StagedRow<Resource>>
  readonly expenses: Map<string, Expense>
  readonly stagedExpenses: Map<string, StagedRow<Expense>>
  lastUserId: number
  registryVersion: number
}

/** What the migrations of a database register. */
const registered = (): [string, ProductSchemaWithText][] =>
  builtInSchemas.map(({ type, version, title, schema }) => {
    const key = productSchemaKey(type, version)
    const { required } = schema
    return [
      key,
      { key, type, version, title, active: true, requiredFields: required, registeredAt: 0, schemaText: JSON.stringify(schema) },
    ]
  })

export const emptyTables = (): Tables => ({
  users: new Map(),
  sessions: new Map(),
  loginFailures: new Map(),
  loginCeilings: new Map(),
  devices: new Map(),
  userHandles: new Map(),
  passkeys: new Map(),
  decoyProfiles: new Map(),
  challenges: new Map(),
  confirmations: new Map(),
  serviceTokens: new Map(),
  rateLimits: new Map(),
  customers: new Map(),
  projects: new Map(),
  projectNumbers: new Map(),
  productSchemas: new Map(registered()),
  resources: new Map(),
  stagedResources: new Map(),
  expenses: new Map(),
  stagedExpenses: new Map(),
  lastUserId: 0,
  registryVersion: builtInSchemas.length,
})

export const copyTables = (tables: Tables): Tables => ({
  users: new Map(tables.users),
  sessions: new Map(tables.sessions),
  loginFailures: new Map(tables.loginFailures),
  loginCeilings: new Map(tables.loginCeilings),
  devices: new Map(tables.devices),
  userHandles: new Map(tables.userHandles),
  passkeys: new Map(tables.passkeys),
  decoyProfiles: new Map(tables.decoyProfiles),
  challenges: new Map(tables.challenges),
  confirmations: new Map(tables.confirmations),
  serviceTokens: new Map(tables.serviceTokens),
  rateLimits: new Map(tables.rateLimits),
  customers: new Map(tables.customers),
  projects: new Map(tables.projects),
  projectNumbers: new Map(tables.projectNumbers),
  productSchemas: new Map(tables.productSchemas),
  resources: new Map(tables.resources),
  stagedResources: new Map(tables.stagedResources),
  expenses: new Map(tables.expenses),
  stagedExpenses: new Map(tables.stagedExpenses),
  lastUserId: tables.lastUserId,
  registryVersion: tables.registryVersion,
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

/** The order of texts by their code points, which is that of their UTF-8 bytes. */
export const byCodePoints = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
