import { availableParallelism } from 'node:os'
import {
  argon2Hasher,
  type Countersign,
  createCountersign,
  defaultOptions,
  type Logger,
  type MigratedStorage,
  type Options,
  type PushProvider,
  type RelyingParty,
  type UserDirectory,
} from '@countersign/core'
import type { Config } from './config/config.ts'
import { demoUser } from './config/demo-user.ts'
import { type LocalSecrets, localSecrets } from './config/local-secrets.ts'
import { createPush } from './identity/push/create-push.ts'
import { redisRateLimits } from './identity/redis/redis-rate-limits.ts'
import { openStorage } from './open-storage.ts'
import { trackedBackground } from './shared/background.ts'
import { within } from './shared/deadline.ts'

/** A `Countersign` on the database of the configuration. */
export interface OpenCountersign {
  readonly countersign: Countersign
  readonly storage: MigratedStorage
  /**
   * Waits for the work that follows answers, then closes the cache and the database.
   *
   * @param time Milliseconds that the work may take; in the last five seconds no push message is tried again.
   */
  close(time?: number): Promise<void>
}

/** What a host brings to `openCountersign` beside the configuration. */
export interface OpenCountersignOptions {
  readonly logger: Logger
  /** The port that is served on in the end; the configured one where left out. */
  readonly servedPort?: () => number
  /** The host's own users, instead of those in the database. */
  readonly users?: UserDirectory
  /** What carries push messages, instead of what is configured. */
  readonly push?: PushProvider
}

const CLOSING_TIME = 9000
/** As long as one attempt at a push message takes. */
const LAST_ATTEMPT_TIME = 5000

const keysOf = async (config: Config): Promise<LocalSecrets> => {
  const { jwtKeys, encryptionKeys } = config
  if (jwtKeys !== undefined && encryptionKeys !== undefined) return { jwtKeys, encryptionKeys }
  const local = await localSecrets()
  return { jwtKeys: jwtKeys ?? local.jwtKeys, encryptionKeys: encryptionKeys ?? local.encryptionKeys }
}

/** For whom passkeys are made and where they may be used, as configured. */
export const relyingPartyOf = ({ relyingParty: { id, name, origins }, port }: Config, servedPort = () => port): RelyingParty => ({
  id,
  name,
  // Asked for when it is needed: any free port is known only once it is listened on.
  get origins() {
    return origins ?? [new URL(`http://localhost:${servedPort()}`).origin]
  },
})

const optionsOf = (config: Config, servedPort?: () => number): Partial<Options> => ({
  relyingParty: relyingPartyOf(config, servedPort),
  challengeLifetime: config.challengeLifetime,
  confirmationLifetime: config.confirmationLifetime,
  refreshLeeway: config.refreshLeeway,
  enrolment: config.enrolment,
  freshSessionAge: config.freshSessionAge,
  coolingOff: config.coolingOff,
  leastUserVerification: config.leastUserVerification,
  passkeyLists: config.passkeyLists,
  rateLimits: config.rateLimits === 'off' ? 'off' : defaultOptions.rateLimits,
  refusedEmails: config.production ? [demoUser.email] : [],
})

/**
 * Opens the configured database and makes a `Countersign` on it, as the server and the command line both use it. Pending
 * migrations are left to whoever opens it. @throws StartupError
 */
export const openCountersign = async (
  config: Config,
  { logger, servedPort, users, push: ownPush }: OpenCountersignOptions,
): Promise<OpenCountersign> => {
  const keys = await keysOf(config)
  const push = await createPush(config.push, logger)
  const storage = await openStorage(config.databaseUrl)
  const background = trackedBackground(logger)
  const { redisUrl } = config
  const redis = redisUrl === undefined ? undefined : redisRateLimits({ url: redisUrl, fallback: storage.rateLimits, logger })
  const countersign = createCountersign({
    ...keys,
    storage,
    logger,
    background,
    push: ownPush ?? push.provider,
    ...(users !== undefined && { users }),
    ...(redis === undefined ? {} : { rateLimitStore: redis, cacheHealth: redis.health }),
    // One core stays free for everything else: hashing saturates those that it has.
    passwords: argon2Hasher({ concurrency: Math.max(1, availableParallelism() - 1) }),
    options: optionsOf(config, servedPort),
  })
  return {
    countersign,
    storage,
    close: async (time = CLOSING_TIME) => {
      const timeForRetries = Math.max(0, time - LAST_ATTEMPT_TIME)
      if (!(await within(timeForRetries, background.settled()))) {
        push.stop()
        await within(time - timeForRetries, background.settled())
      }
      await redis?.close()
      await storage.close()
    },
  }
}
