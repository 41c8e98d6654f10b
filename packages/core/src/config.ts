import type { ProbeStatus } from '@countersign/contract'
import type { ApprovalStores } from './approvals/stores.ts'
import type { PasswordHasher } from './identity/passwords/hasher.ts'
import type { PushProvider } from './identity/push/push-provider.ts'
import type { RateLimitStore } from './identity/rate-limits/store.ts'
import type { IdentityStores } from './identity/stores.ts'
import type { UserDirectory } from './identity/users/directory.ts'
import type { GivenOptions } from './options.ts'
import { checkedParts, type Part } from './parts.ts'
import type { ProjectStores } from './projects/stores.ts'
import type { Background } from './shared/background.ts'
import type { Clock } from './shared/clock.ts'
import { type KeyRing, requireKeyRing } from './shared/crypto/key-ring.ts'
import type { Logger } from './shared/logger.ts'
import type { Random } from './shared/random.ts'
import type { Storage } from './storage.ts'

/** What a host brings. Only storage and keys are needed; the rest has defaults fit for production. */
export interface CountersignConfig<P extends Part = Part> {
  readonly storage: Storage
  /**
   * The parts of the product that the host uses, `identity` always among them. All three where left out. A host that leaves
   * `projects` out supplies no project stores.
   */
  readonly parts?: readonly P[]
  /** Secrets of at least 256 bits from which the keys of tokens are derived (see `parseKeyRing`). */
  readonly jwtKeys: KeyRing
  /** Secrets of exactly 256 bits that encrypt fields at rest. */
  readonly encryptionKeys: KeyRing
  /** The host's own users, instead of those in the storage. */
  readonly users?: UserDirectory
  readonly clock?: Clock
  readonly random?: Random
  readonly passwords?: PasswordHasher
  readonly push?: PushProvider
  readonly background?: Background
  readonly logger?: Logger
  /** Where rate limits are counted, where that is not the storage: a store that all servers share and that always answers. */
  readonly rateLimitStore?: RateLimitStore
  /** How a shared cache is doing, where there is one. Answers within two seconds. */
  readonly cacheHealth?: () => Promise<ProbeStatus>
  readonly options?: GivenOptions | undefined
}

const storesOfParts = {
  identity: [
    'users',
    'sessions',
    'loginFailures',
    'devices',
    'decoyProfiles',
    'passkeys',
    'challenges',
    'serviceTokens',
    'rateLimits',
  ],
  approvals: ['confirmations'],
} as const satisfies {
  readonly identity: readonly (keyof IdentityStores)[]
  readonly approvals: readonly (keyof ApprovalStores)[]
}

const projectStores = [
  'customers',
  'projects',
  'productSchemas',
  'resources',
  'expenses',
] as const satisfies readonly (keyof ProjectStores)[]

/** What each port is called, and the methods that it cannot do without. Those of stores are for the suite of adapters to hold. */
const ports = {
  users: ['UserDirectory', ['byEmail', 'byId']],
  clock: ['Clock', ['now']],
  random: ['Random', ['bytes']],
  passwords: ['PasswordHasher', ['hash', 'verify', 'isOutdated']],
  push: ['PushProvider', ['send', 'health']],
  background: ['Background', ['run']],
  logger: ['Logger', ['debug', 'info', 'warn', 'error']],
  rateLimitStore: ['RateLimitStore', ['take']],
} as const satisfies Partial<Record<keyof CountersignConfig, readonly [port: string, methods: readonly string[]]>>

const memberOf = (value: unknown, member: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[member] : undefined

const requireMembers = (name: string, port: string, value: unknown, members: readonly string[], type: 'function' | 'object') => {
  if (typeof value !== 'object' || value === null) throw new TypeError(`${name} must be a ${port}`)
  const missing = members.find((member) => typeof memberOf(value, member) !== type || memberOf(value, member) === null)
  if (missing !== undefined) throw new TypeError(`${name} must be a ${port}, and lacks ${missing}`)
}

/**
 * Looks at what a host brings before anything is made of it: not every host is told by a compiler what is missing, and what is
 * missing should not show at the first request that needs it. Values are repeated nowhere, since some are secrets.
 *
 * @throws TypeError naming the member that is missing, or is no such port
 * @throws InvalidKeyRing naming the ring, and what is wrong with it
 */
export const checkConfig = (config: CountersignConfig): void => {
  if (typeof config !== 'object' || config === null) {
    throw new TypeError('createCountersign takes an object with storage, jwtKeys and encryptionKeys')
  }
  const parts = checkedParts(config.parts)
  requireMembers('storage', 'Storage', config.storage, storesOfParts.identity, 'object')
  if (parts.has('approvals')) requireMembers('storage', 'Storage', config.storage, storesOfParts.approvals, 'object')
  if (parts.has('projects')) {
    requireMembers('storage', 'Storage', config.storage, ['projects'], 'object')
    requireMembers('storage.projects', 'ProjectStores', config.storage.projects, projectStores, 'object')
  }
  requireMembers('storage', 'Storage', config.storage, ['transaction'], 'function')
  requireKeyRing('jwtKeys', config.jwtKeys)
  requireKeyRing('encryptionKeys', config.encryptionKeys, { exactly: true })
  for (const [name, [port, methods]] of Object.entries(ports)) {
    const value = memberOf(config, name)
    if (value !== undefined) requireMembers(name, port, value, methods, 'function')
  }
  const { cacheHealth } = config
  if (cacheHealth !== undefined && typeof cacheHealth !== 'function') throw new TypeError('cacheHealth must be a function')
}
