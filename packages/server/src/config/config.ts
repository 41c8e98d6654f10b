import type { UserVerificationRequirement } from '@countersign/contract'
import type { ActionPolicy, Enrolment, Gates, KeyRing, Part, RateLimits, ReceiptKeyRing, Retention } from '@countersign/core'
import type { LogLevel } from '../logging/logger.ts'
import type { MetricsAddress } from '../metrics/serve-metrics.ts'
import type { UnknownVariable } from './unknown-variables.ts'

/** The values of `NODE_ENV` that say how a server is meant to run. Any other value is most likely mistyped. */
export const nodeEnvironments = ['production', 'development', 'test'] as const

/** How devices are notified of pending confirmations. */
export type PushConfig =
  | { readonly provider: 'none' | 'log' }
  | {
      readonly provider: 'webhook'
      readonly url: string
      /** `whsec_…`, the form of secrets in Standard Webhooks. */
      readonly secret: string
    }

/** The checked configuration from the environment. Frozen. Times are in milliseconds. */
export interface Config {
  /** Whether `NODE_ENV` is `production`. */
  readonly production: boolean
  /** The value of `NODE_ENV`; `unknown` for any value but these. */
  readonly nodeEnv: (typeof nodeEnvironments)[number] | 'unset' | 'unknown'
  /** `sqlite:<path>` or `postgres://…`. May contain a password. */
  readonly databaseUrl: string
  /** The time after which a connection to PostgreSQL is replaced, at the latest. */
  readonly databaseConnectionMaxAge: number
  /** `redis://…` or `rediss://…`: the Redis server that counts rate limits. May contain a password. */
  readonly redisUrl: string | undefined
  readonly host: string
  /** `0` chooses a free port. */
  readonly port: number
  /** Whether the variable `PORT` of a platform is set while `COUNTERSIGN_PORT`, which is read instead, is not. */
  readonly ignoresPort: boolean
  /** The parts whose routes the server has. */
  readonly parts: readonly Part[]
  /** `undefined`: the keys in `.countersign/` are used. In production, both key rings are always set. */
  readonly jwtKeys: KeyRing | undefined
  readonly encryptionKeys: KeyRing | undefined
  /** With `off`, no receipts are made, whatever keys there are. */
  readonly receipts: 'on' | 'off'
  /** `undefined`: the key in `.countersign/` signs receipts where a key ring of there is used. Elsewhere there are no receipts. */
  readonly receiptKeys: ReceiptKeyRing | undefined
  /** The URL of the issuer of receipts. `undefined`: `http://localhost` with the port of the running server. */
  readonly receiptIssuer: string | undefined
  readonly relyingParty: {
    readonly id: string
    readonly name: string
    /** `undefined`: `http://localhost` with the port of the running server. In production, the origins are always set. */
    readonly origins: readonly string[] | undefined
  }
  readonly leastUserVerification: UserVerificationRequirement
  /** Whether a passkey login that begins with an email lists the passkeys of the user. */
  readonly passkeyLists: 'on' | 'off'
  /** The limit of each category, or `off`. */
  readonly rateLimits: RateLimits | 'off'
  readonly challengeLifetime: number
  readonly confirmationLifetime: number
  /** The longest time from an approval to its consumption. */
  readonly approvalMaxAge: number
  readonly refreshLeeway: number
  readonly renewalWindow: number
  /** The greatest number of live sessions of a user. */
  readonly sessionsPerUser: number
  /** When a new device or passkey is trusted. */
  readonly enrolment: Enrolment
  /** The time after a login in which a session is fresh. */
  readonly freshSessionAge: number
  readonly coolingOff: number
  /** Whether every approval needs the number that the asking page shows. */
  readonly numberMatching: 'on' | 'off'
  /** The operations that need an approval. */
  readonly gates: Gates
  /** The approvals that requests need, by action type. */
  readonly approvalPolicies: Readonly<Record<string, ActionPolicy>>
  /** How long finished records are kept, by kind. */
  readonly approvalRetention: Retention
  readonly refusalRetention: Retention
  readonly serviceTokenRetention: Retention
  readonly removedProjectRetention: Retention
  readonly trustProxy: number
  /** The web origins whose pages may call the server. */
  readonly corsOrigins: readonly string[]
  readonly push: PushConfig
  /** Whether `/playground` is served: always, except in production. */
  readonly playground: boolean
  /** Whether `/docs` is served. By default always, except in production. */
  readonly reference: boolean
  readonly logLevel: LogLevel
  /** The time from a signal to stop until the port closes, in which requests are still accepted. */
  readonly drainTime: number
  /** Where metrics are served; `undefined` if they are off. */
  readonly metrics: MetricsAddress | undefined
  /** The milliseconds from which on a statement is logged as slow. 0 logs none. */
  readonly slowStatement: number
  /** Whether log lines name the address of the client. An address is personal data. */
  readonly logAddresses: 'on' | 'off'
  /** The set variables that no code reads. `serve` logs a warning for each. */
  readonly unknownVariables: readonly UnknownVariable[]
}
