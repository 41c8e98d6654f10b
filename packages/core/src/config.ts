import type { ProbeStatus } from '@countersign/contract'
import type { Observer } from './approvals/observer.ts'
import { type ReceiptKeyRing, requireReceiptKeyRing } from './approvals/receipt-keys/receipt-key-ring.ts'
import type { ApprovalStores } from './approvals/stores.ts'
import type { PasswordHasher } from './identity/hashing/hasher.ts'
import type { DeliverCode } from './identity/one-time-codes/code-delivery.ts'
import type { OnNotice } from './identity/push/notify-of-change.ts'
import type { PushProvider } from './identity/push/push-provider.ts'
import type { RateLimitStore } from './identity/rate-limits/store.ts'
import type { IdentityStores } from './identity/stores.ts'
import type { UserDirectory } from './identity/user-model/directory.ts'
import type { GivenOptions } from './options.ts'
import { checkedParts, type Part } from './parts.ts'
import type { ProjectStores } from './projects/stores.ts'
import type { Background } from './shared/background.ts'
import type { Clock } from './shared/clock.ts'
import { type KeyRing, requireKeyRing } from './shared/crypto/key-ring.ts'
import type { Logger } from './shared/logger.ts'
import type { Random } from './shared/random.ts'
import type { Storage } from './storage.ts'

/** The issuer of receipts. */
export interface ReceiptConfig {
  /** The keys that sign receipts, and nothing else (see `parseReceiptKeyRing`). */
  readonly keys: ReceiptKeyRing
  /** The URL of the issuer, for the claim `iss`: `https://auth.example.com`. */
  readonly issuer: string
}

const requireReceipts = (receipts: ReceiptConfig | undefined): void => {
  if (receipts === undefined) return
  requireReceiptKeyRing('receipts.keys', receipts?.keys)
  if (typeof receipts.issuer !== 'string' || !URL.canParse(receipts.issuer)) throw new TypeError('receipts.issuer must be a URL')
}

/**
 * The configuration of a host. Only `storage` and the two key rings are required. The defaults of the other members are fit for
 * production.
 */
export interface CountersignConfig<P extends Part = Part> {
  readonly storage: Storage
  /**
   * The parts of the product that the host uses; all three by default. `identity` is always included. A host without `projects`
   * needs no project stores.
   */
  readonly parts?: readonly P[]
  /** Secrets of at least 256 bits. The signing keys of tokens are derived from them (see `parseKeyRing`). */
  readonly jwtKeys: KeyRing
  /** Secrets of exactly 256 bits. They encrypt fields in the database. */
  readonly encryptionKeys: KeyRing
  /** The user directory of the host. Without a directory, users are kept in the storage. */
  readonly users?: UserDirectory
  /** The keys and the name of the issuer of receipts. Without them, no receipts are made. */
  readonly receipts?: ReceiptConfig | undefined
  readonly clock?: Clock
  readonly random?: Random
  readonly passwords?: PasswordHasher
  readonly push?: PushProvider
  /** Is called with each change of a user's account, for example to mail users without a trusted device. */
  readonly onNotice?: OnNotice
  /** Delivers codes for forgotten passwords and invitations, for example by mail. Without it, `password.forgot` is refused. */
  readonly deliverCode?: DeliverCode | undefined
  readonly background?: Background
  readonly logger?: Logger
  /** Counts the steps of confirmations, for metrics. */
  readonly observer?: Observer
  /** The store that counts requests for rate limits; the storage by default. All servers must share the store. */
  readonly rateLimitStore?: RateLimitStore
  /** Returns the health of a shared cache, within two seconds. */
  readonly cacheHealth?: () => Promise<ProbeStatus>
  /**
   * True if the host serves real users; `false` by default. In production, `createCountersign` runs `check` in the background,
   * which logs each failed check. Apply the migrations before.
   */
  readonly production?: boolean
  readonly options?: GivenOptions | undefined
}

const storesOfParts = {
  identity: ['users', 'sessions', 'loginFailures', 'devices', 'secrets', 'passkeys', 'challenges', 'serviceTokens', 'rateLimits'],
  approvals: ['confirmations'],
  projects: ['customers', 'projects', 'productSchemas', 'resources', 'expenses'],
} as const satisfies {
  readonly identity: readonly (keyof IdentityStores)[]
  readonly approvals: readonly (keyof ApprovalStores)[]
  readonly projects: readonly (keyof ProjectStores)[]
}

/** The name of each port, and its required methods. The contract suites check the methods of stores. */
const ports = {
  users: ['UserDirectory', ['byEmail', 'byId']],
  clock: ['Clock', ['now']],
  random: ['Random', ['bytes']],
  passwords: ['PasswordHasher', ['hash', 'verify', 'isOutdated']],
  push: ['PushProvider', ['send', 'health']],
  background: ['Background', ['run']],
  logger: ['Logger', ['debug', 'info', 'warn', 'error']],
  observer: ['Observer', ['confirmation']],
  rateLimitStore: ['RateLimitStore', ['take', 'giveBack', 'read']],
} as const satisfies Partial<Record<keyof CountersignConfig, readonly [port: string, methods: readonly string[]]>>

const memberOf = (value: unknown, member: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[member] : undefined

const requireMembers = (name: string, port: string, value: unknown, members: readonly string[], type: 'function' | 'object') => {
  if (typeof value !== 'object' || value === null) throw new TypeError(`${name} must be a ${port}`)
  const missing = members.find((member) => typeof memberOf(value, member) !== type || memberOf(value, member) === null)
  if (missing !== undefined) throw new TypeError(`${name} must be a ${port}, and lacks ${missing}`)
}

/**
 * Checks the configuration of a host. A host in plain JavaScript has no compiler that reports a missing member, and the mistake
 * should not surface at the first request. Messages never repeat a value, because some values are secrets.
 * @throws TypeError naming the member that is missing or invalid
 * @throws InvalidKeyRing naming the ring and its fault
 */
export const requireConfig = (config: CountersignConfig): void => {
  if (typeof config !== 'object' || config === null) {
    throw new TypeError('createCountersign takes an object with storage, jwtKeys and encryptionKeys')
  }
  const parts = checkedParts(config.parts)
  // A gate consumes confirmations, also if another process serves the approvals.
  const usesApprovals = parts.has('approvals') || Object.keys(config.options?.gates ?? {}).length > 0
  const stores = [...storesOfParts.identity, ...(usesApprovals ? storesOfParts.approvals : [])]
  requireMembers('storage', 'Storage', config.storage, stores, 'object')
  if (parts.has('projects')) {
    requireMembers('storage', 'Storage', config.storage, ['projects'], 'object')
    requireMembers('storage.projects', 'ProjectStores', config.storage.projects, storesOfParts.projects, 'object')
  }
  requireMembers('storage', 'Storage', config.storage, ['transaction'], 'function')
  requireKeyRing('jwtKeys', config.jwtKeys)
  requireKeyRing('encryptionKeys', config.encryptionKeys, { exactly: true })
  requireReceipts(config.receipts)
  const hasPolicies = Object.keys(config.options?.approvalPolicies ?? {}).length > 0
  if (hasPolicies && config.users !== undefined && typeof config.users?.holdersOf !== 'function') {
    throw new TypeError('approvalPolicies need a UserDirectory with holdersOf, which finds the approvers')
  }
  for (const [name, [port, methods]] of Object.entries(ports)) {
    const value = memberOf(config, name)
    if (value !== undefined) requireMembers(name, port, value, methods, 'function')
  }
  for (const name of ['cacheHealth', 'onNotice', 'deliverCode'] as const) {
    if (config[name] !== undefined && typeof config[name] !== 'function') throw new TypeError(`${name} must be a function`)
  }
}
