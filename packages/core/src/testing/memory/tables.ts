import type { ActionTypeWithText } from '../../approvals/action-types/action-type.ts'
import type { Confirmation } from '../../approvals/confirmations/confirmation.ts'
import type { StoredActionPolicy } from '../../approvals/policies/action-policy.ts'
import type { AnnouncedConfirmation } from '../../approvals/push-windows/store.ts'
import type { PublishedReceiptKey } from '../../approvals/receipts/receipt-key.ts'
import type { ApprovalRequest } from '../../approvals/requests/approval-request.ts'
import type { Vouching } from '../../approvals/vouching/vouching.ts'
import type { Challenge } from '../../identity/challenges/challenge.ts'
import type { Device } from '../../identity/devices/device.ts'
import type { RegistrationEvidence } from '../../identity/devices/registration-evidence.ts'
import type { LoginFailures } from '../../identity/login/login-failures.ts'
import type { OneTimeCode } from '../../identity/one-time-codes/one-time-code.ts'
import type { Passkey } from '../../identity/passkeys/passkey.ts'
import type { RateLimitState } from '../../identity/rate-limits/take-from-state.ts'
import type { AnnouncedServer } from '../../identity/servers/store.ts'
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
import type { SealedField } from '../../shared/crypto/field-encryption.ts'
import type { ListPosition, PageQuery } from '../../shared/list-page.ts'

export interface PushWindowRow {
  readonly windowEndsAt: Instant
  readonly waiting: number
  readonly newest: AnnouncedConfirmation
}

/** The row of a device. The row of a removed device stays. */
export interface DeviceRow {
  readonly device: Device
  readonly pushTokenDigest: string | null
  readonly removedAt: Instant | null
}

/** The row of a challenge. The row of a user's used challenge stays for a while. */
export interface ChallengeRow {
  readonly challenge: Challenge
  readonly usedAt: Instant | null
}

export interface LoginFailuresRow extends LoginFailures {
  /** The client is known to the account until this time. */
  readonly knownUntil: Instant
}

export interface RateLimitRow extends RateLimitState {
  /** The time from which the row has no effect and may be deleted. */
  readonly idleAt: Instant
}

/** The row of a project. The row of a removed project stays, with the user who removed it. */
export interface ProjectRow {
  readonly project: NewProject
  readonly removedAt: Instant | null
  readonly removedBy: number | null
}

/** A staged line of an import. */
export interface StagedRow<T> {
  readonly importId: string
  readonly stagedAt: Instant
  readonly entry: T
}

/** All tables of the database. Rows are immutable, so a copy of the maps is a copy of the database. */
export interface Tables {
  readonly users: Map<number, User>
  /** The ids of the erased users, whose rows stay in `users`. */
  readonly erasedUsers: Map<number, true>
  readonly sessions: Map<string, Session>
  /** Keyed by client of an account. */
  readonly loginFailures: Map<string, LoginFailuresRow>
  /** The time at which the bucket of an account is full again. */
  readonly loginCeilings: Map<string, Instant>
  readonly devices: Map<string, DeviceRow>
  /** Keyed by device. */
  readonly deviceRegistrations: Map<string, RegistrationEvidence>
  /** Keyed by user. */
  readonly userHandles: Map<number, string>
  /** Keyed by user and credential id. */
  readonly passkeys: Map<string, Passkey>
  /** The keys of devices and passkeys that got a cooling-off period at their registration. */
  readonly coolingOff: Map<string, true>
  /** The sessions that registered devices and passkeys, by the keys of those. */
  readonly registeredBy: Map<string, string>
  /** Keyed by number. */
  readonly secrets: Map<string, SealedField>
  readonly servers: Map<string, AnnouncedServer>
  readonly challenges: Map<string, ChallengeRow>
  /** Keyed by user and kind. */
  readonly oneTimeCodes: Map<string, OneTimeCode>
  readonly confirmations: Map<string, Confirmation>
  /** Keyed by user, kind and subject. */
  readonly vouchings: Map<string, Vouching>
  /** Keyed by user. */
  readonly pushWindows: Map<number, PushWindowRow>
  readonly receiptKeys: Map<string, PublishedReceiptKey>
  readonly actionTypes: Map<string, ActionTypeWithText>
  readonly approvalRequests: Map<string, ApprovalRequest>
  /** Keyed by action type. */
  readonly actionPolicies: Map<string, StoredActionPolicy>
  readonly serviceTokens: Map<string, ServiceToken>
  readonly rateLimits: Map<string, RateLimitRow>
  readonly customers: Map<string, Customer>
  readonly projects: Map<string, ProjectRow>
  /** The last number of each year. */
  readonly projectNumbers: Map<number, number>
  readonly productSchemas: Map<string, ProductSchemaWithText>
  readonly resources: Map<string, Resource>
  readonly stagedResources: Map<string, StagedRow<Resource>>
  readonly expenses: Map<string, Expense>
  readonly stagedExpenses: Map<string, StagedRow<Expense>>
  lastUserId: number
  registryVersion: number
  actionTypesVersion: number
}

/** Returns the product schemas that the migrations of a database register. */
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
  erasedUsers: new Map(),
  sessions: new Map(),
  loginFailures: new Map(),
  loginCeilings: new Map(),
  devices: new Map(),
  deviceRegistrations: new Map(),
  userHandles: new Map(),
  passkeys: new Map(),
  coolingOff: new Map(),
  registeredBy: new Map(),
  secrets: new Map(),
  servers: new Map(),
  challenges: new Map(),
  oneTimeCodes: new Map(),
  confirmations: new Map(),
  vouchings: new Map(),
  pushWindows: new Map(),
  receiptKeys: new Map(),
  actionTypes: new Map(),
  approvalRequests: new Map(),
  actionPolicies: new Map(),
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
  actionTypesVersion: 0,
})

export const copyTables = (tables: Tables): Tables => ({
  users: new Map(tables.users),
  erasedUsers: new Map(tables.erasedUsers),
  sessions: new Map(tables.sessions),
  loginFailures: new Map(tables.loginFailures),
  loginCeilings: new Map(tables.loginCeilings),
  devices: new Map(tables.devices),
  deviceRegistrations: new Map(tables.deviceRegistrations),
  userHandles: new Map(tables.userHandles),
  passkeys: new Map(tables.passkeys),
  coolingOff: new Map(tables.coolingOff),
  registeredBy: new Map(tables.registeredBy),
  secrets: new Map(tables.secrets),
  servers: new Map(tables.servers),
  challenges: new Map(tables.challenges),
  oneTimeCodes: new Map(tables.oneTimeCodes),
  confirmations: new Map(tables.confirmations),
  vouchings: new Map(tables.vouchings),
  pushWindows: new Map(tables.pushWindows),
  receiptKeys: new Map(tables.receiptKeys),
  actionTypes: new Map(tables.actionTypes),
  approvalRequests: new Map(tables.approvalRequests),
  actionPolicies: new Map(tables.actionPolicies),
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
  actionTypesVersion: tables.actionTypesVersion,
})

/** Adds a row. Throws if the primary key is taken, like any database. */
export const insert = <K, R>(table: Map<K, R>, key: K, row: R): void => {
  if (table.has(key)) throw new Error('a row with this primary key exists')
  table.set(key, structuredClone(row))
}

/** Replaces the row of `key` if it exists and `condition` is true for it. Returns the new row, else `undefined`. */
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

/** Replaces the rows for which `condition` is true. Returns their number. */
export const replaceAllWhere = <K, R>(table: Map<K, R>, condition: (row: R) => boolean, replacement: (row: R) => R): number =>
  [...table.keys()].filter((key) => replaceWhere(table, key, condition, replacement) !== undefined).length

/** Deletes the rows for which `condition` is true. Returns their number. */
export const deleteWhere = <K, R>(table: Map<K, R>, condition: (row: R) => boolean): number => {
  const before = table.size
  for (const [key, row] of table) if (condition(row)) table.delete(key)
  return before - table.size
}

/**
 * Runs one step on the tables after earlier calls, and resolves to a copy of its result. A step is synchronous, so it is atomic.
 */
export type Run = <T>(step: (tables: Tables) => T) => Promise<T>

/** Sorts by time of creation, newest first. The id decides between equals, so the order is always the same. */
export const newestFirst = (a: { createdAt: Instant; id: string }, b: { createdAt: Instant; id: string }): number =>
  b.createdAt - a.createdAt || (a.id === b.id ? 0 : a.id < b.id ? 1 : -1)

/** Returns the rows of a page, newest first. */
export const pageOf = <R extends ListPosition & { readonly userId: number }>(
  rows: readonly R[],
  { userId, since, before, after, limit }: PageQuery,
): R[] =>
  rows
    .filter((row) => userId === undefined || row.userId === userId)
    .filter(({ createdAt }) => (since === undefined || createdAt >= since) && (before === undefined || createdAt < before))
    .filter((row) => after === undefined || newestFirst(after, row) < 0)
    .sort(newestFirst)
    .slice(0, limit)

/** Moves surrogates behind all other code units: they encode the greatest code points. */
const rank = (unit: number): number => {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}

/** Compares texts by code points, which is the order of their UTF-8 bytes. Makes no buffers, because lists compare very often. */
export const byCodePoints = (a: string, b: string): number => {
  const shorter = Math.min(a.length, b.length)
  for (let at = 0; at < shorter; at += 1) {
    const difference = rank(a.charCodeAt(at)) - rank(b.charCodeAt(at))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
