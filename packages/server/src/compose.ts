import { availableParallelism } from 'node:os'
import {
  argon2Hasher,
  type Clock,
  type Countersign,
  type CountersignOf,
  createCountersign,
  type DeliverCode,
  declaredOptions,
  type Logger,
  type MigratedStorage,
  noPush,
  type OnNotice,
  type Options,
  type Part,
  type PushProvider,
  type ReceiptConfig,
  type RelyingParty,
  type StorageObserver,
  type UserDirectory,
} from '@countersign/core'
import type { Config } from './config/config.ts'
import { type LocalSecrets, localSecrets } from './config/local-secrets.ts'
import type { MountableCountersign } from './handlers.ts'
import { codePageOf, configuredDelivery } from './identity/mail/configured-delivery.ts'
import { createPush } from './identity/push/create-push.ts'
import { checkPushKey } from './identity/push/push-keys.ts'
import { loadRedis } from './identity/rate-limits/open-redis.ts'
import { redisRateLimits } from './identity/rate-limits/redis-rate-limits.ts'
import { slowStatementLog } from './logging/slow-statements.ts'
import { openStorage } from './open-storage.ts'
import { requireNode } from './require-node.ts'
import { createAnnouncement } from './servers/announcement.ts'
import { settingsOf } from './servers/settings.ts'
import { trackedBackground } from './shared/background.ts'
import { within } from './shared/deadline.ts'
import { followDatabaseClock } from './shared/follow-database.ts'
import type { Monitor } from './shared/monitor.ts'
import type { Tracing } from './tracing/tracing.ts'

/** The user that `npm start` creates for trials. Its credentials are public, so it cannot log in in production. */
export const demoUser = {
  email: 'demo@countersign.example',
  password: 'demo-password-not-secret',
  name: 'Demo User',
} as const

/** A `Countersign` on the configured database. */
export interface OpenCountersign<C extends MountableCountersign = Countersign> {
  readonly countersign: C
  readonly storage: MigratedStorage
  readonly hasReceiptKeys: boolean
  /**
   * Announces this server to the other servers of the database until `close`, and logs settings that must be equal and are not. In
   * production, also runs `countersign.check()`, without waiting for it. For servers, after the migrations. Never rejects.
   */
  announce(): Promise<void>
  /** Removes this server from the announced servers of the database, because it stops. `close` does so too. Never rejects. */
  leave(): Promise<void>
  /**
   * Waits `time` milliseconds at most for the work that follows responses, then closes the connections. In the last five seconds no
   * push message is sent again.
   */
  close(time?: number): Promise<void>
}

export interface OpenCountersignOptions {
  readonly logger: Logger
  /** The parts of the `Countersign`; by default those of the configuration or the database. `identity` is always included. */
  readonly parts?: readonly Part[] | undefined
  /** Returns the port of the running server; the configured port by default. */
  readonly servedPort?: () => number
  /** The user directory of the host, instead of the users in the database. */
  readonly users?: UserDirectory
  /** The push provider of the host, instead of the configured provider. */
  readonly push?: PushProvider
  /** Is called with each change of a user's account, for example to mail users without a trusted device. */
  readonly onNotice?: OnNotice
  /** Delivers one-time codes, instead of the configured mail server. Without both, nobody can ask for a code. */
  readonly deliverCode?: DeliverCode
  /** The metrics of the server, from `createMetrics` of `@countersign/server/metrics`. */
  readonly monitor?: Monitor | undefined
  /** The clock of the machine. On PostgreSQL the clock of the database corrects it, so that all servers live in one time. */
  readonly machineClock?: Clock | undefined
  /** Makes spans of statements, from `createTracing` of `@countersign/server/tracing`. */
  readonly tracing?: Pick<Tracing, 'statement'> | undefined
}

const CLOSING_TIME = 9000
/** The time for which the metrics count expired approvals, in milliseconds. */
const EXPIRED_FOR = 3_600_000
/** The time that one attempt to send a push message may take. */
const LAST_ATTEMPT_TIME = 5000
/** Milliseconds in which the other servers of the database learn that this one stops. */
const FORGETTING_TIME = 500

/**
 * Returns the configured key rings, and those in `.countersign/` if one of the two required rings is missing. A host that
 * configures both keeps its keys elsewhere, so no receipt key is made for this host.
 */
const keysOf = async ({ jwtKeys, encryptionKeys, receiptKeys }: Config): Promise<LocalSecrets> => {
  if (jwtKeys !== undefined && encryptionKeys !== undefined) return { jwtKeys, encryptionKeys, receiptKeys }
  const local = await localSecrets()
  return {
    jwtKeys: jwtKeys ?? local.jwtKeys,
    encryptionKeys: encryptionKeys ?? local.encryptionKeys,
    receiptKeys: receiptKeys ?? local.receiptKeys,
  }
}

/** Returns the key rings that are used. Without receipts, the key ring of receipts is left out. */
const usedKeysOf = async (config: Config): Promise<LocalSecrets> => {
  const keys = await keysOf(config)
  return config.receipts ? keys : { ...keys, receiptKeys: undefined }
}

/** Counts the approvals that expired lately; `undefined` without the part of approvals. */
const countExpired = async ({ parts, approvals }: MigratedStorage, now: number) =>
  parts.includes('approvals') ? approvals.countExpired(now - EXPIRED_FOR, now) : undefined

const localOrigin = (port: number): string => new URL(`http://localhost:${port}`).origin

const receiptsOf = (
  { receiptIssuer, port }: Config,
  { receiptKeys: keys }: LocalSecrets,
  servedPort = () => port,
): ReceiptConfig | undefined =>
  keys && {
    keys,
    // A getter, because a free port is known only once the server listens.
    get issuer() {
      return receiptIssuer ?? localOrigin(servedPort())
    },
  }

/** Joins the observers of statements; `undefined` if none is wanted, so that statements are not even measured. */
const observersOf = (
  { slowStatement }: Config,
  { logger, monitor, tracing }: Pick<OpenCountersignOptions, 'logger' | 'monitor' | 'tracing'>,
): StorageObserver | undefined => {
  const slow = slowStatement === 0 ? undefined : slowStatementLog(logger, slowStatement)
  const observers = [slow, monitor, tracing].filter((observer) => observer !== undefined)
  if (observers.length === 0) return undefined
  return {
    inContext: tracing !== undefined,
    statement: (statement) => {
      for (const observer of observers) observer.statement(statement)
    },
  }
}

export const relyingPartyOf = ({ relyingParty: { id, name, origins }, port }: Config, servedPort = () => port): RelyingParty => ({
  id,
  name,
  // A getter, because a free port is known only once the server listens.
  get origins() {
    return origins ?? [localOrigin(servedPort())]
  },
})

/** Returns the options of the core among the settings, with what depends on the running server. */
const optionsOf = (config: Config, servedPort?: () => number): Partial<Options> => ({
  ...Object.fromEntries(Object.entries(config).filter(([name]) => name in declaredOptions)),
  relyingParty: relyingPartyOf(config, servedPort),
  refusedEmails: config.production ? [demoUser.email] : [],
})

/**
 * Opens the configured database and creates a `Countersign` on it. Applies no migrations. The storage has these parts and those of
 * the database, so that servers of different parts can share a database. @throws StartupError
 */
export function openCountersign<P extends Part>(
  config: Config,
  options: OpenCountersignOptions & { readonly parts: readonly P[] },
): Promise<OpenCountersign<CountersignOf<P>>>
export function openCountersign(config: Config, options: OpenCountersignOptions): Promise<OpenCountersign<MountableCountersign>>
export async function openCountersign(
  config: Config,
  {
    logger: givenLogger,
    parts: named = config.parts,
    servedPort,
    users,
    push: ownPush,
    onNotice,
    deliverCode = configuredDelivery(config, () =>
      codePageOf({ ...config, origins: relyingPartyOf(config, servedPort).origins }),
    ),
    monitor,
    tracing,
    machineClock,
  }: OpenCountersignOptions,
): Promise<OpenCountersign<MountableCountersign>> {
  requireNode(process.versions.node)
  const logger = monitor?.countingLogger(givenLogger) ?? givenLogger
  const keys = await usedKeysOf(config)
  const { jwtKeys, encryptionKeys } = keys
  // A missing driver stops the start. Later, it would look like an unavailable Redis server.
  if (config.redisUrl !== undefined) await loadRedis()
  // A key that cannot be read stops the start too, while nothing is open.
  if (ownPush === undefined) await Promise.all(config.push.map(checkPushKey))
  const storage = await openStorage(config.databaseUrl, {
    observer: observersOf(config, { logger, monitor, tracing }),
    connectionMaxAge: config.databaseConnectionMaxAge,
    schema: config.databaseSchema,
    parts: named,
  })
  const { clock, stop: stopClock } = await followDatabaseClock(storage, { logger, machine: machineClock })
  const push = await createPush(ownPush === undefined ? config.push : [], { logger, clock, monitor })
  const background = trackedBackground(logger)
  // Hashing uses all cores that it may use. One core stays free for other work.
  const passwords = argon2Hasher({ concurrency: Math.max(1, availableParallelism() - 1), logger })
  const { redisUrl: url } = config
  const redis = url === undefined ? undefined : redisRateLimits({ url, fallback: storage.rateLimits, logger, clock })
  const countersign: MountableCountersign = createCountersign({
    jwtKeys,
    encryptionKeys,
    receipts: receiptsOf(config, keys, servedPort),
    parts: named ?? storage.parts,
    storage,
    clock,
    logger,
    background,
    push: ownPush === undefined || ownPush === noPush ? push.provider : (monitor?.countingPush(ownPush, 'host') ?? ownPush),
    ...(monitor !== undefined && { observer: monitor }),
    ...(users !== undefined && { users }),
    ...(onNotice !== undefined && { onNotice }),
    ...(deliverCode !== undefined && { deliverCode }),
    ...(redis === undefined ? {} : { rateLimitStore: redis, cacheHealth: redis.health }),
    passwords,
    options: optionsOf(config, servedPort),
  })
  const announcement = createAnnouncement(storage, settingsOf(config, keys), { clock, logger })
  monitor?.watch({
    storage: () => storage.statistics(),
    passwords: () => passwords.load?.(),
    health: () => countersign.health(),
    readiness: () => countersign.readiness(),
    serviceTokens: () => storage.serviceTokens.list(),
    expiredApprovals: () => countExpired(storage, clock.now()),
  })
  return {
    countersign,
    storage,
    hasReceiptKeys: keys.receiptKeys !== undefined,
    announce: async () => {
      await announcement.start()
      // The check of the keys reads many rows, so the start does not wait for it.
      if (config.production) background.run(async () => void (await countersign.check()))
    },
    leave: () => announcement.stop(),
    close: async (time = CLOSING_TIME) => {
      stopClock()
      const timeForRetries = Math.max(0, time - LAST_ATTEMPT_TIME)
      if (!(await within(timeForRetries, background.settled()))) {
        push.stop()
        await within(time - timeForRetries, background.settled())
      }
      push.stop()
      // A database that hangs must not delay the end. The row of a server that is gone stops counting by itself.
      await within(FORGETTING_TIME, announcement.stop())
      await redis?.close()
      await storage.close()
    },
  }
}
