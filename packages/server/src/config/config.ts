import type { UserVerificationRequirement } from '@countersign/contract'
import type { KeyRing, Part } from '@countersign/core'
import type { LogLevel } from '../logging/logger.ts'
import type { UnknownVariable } from './unknown-variables.ts'

/** How devices are told that a confirmation waits. */
export type PushConfig =
  | { readonly provider: 'none' | 'log' }
  | {
      readonly provider: 'webhook'
      readonly url: string
      /** `whsec_…`, as Standard Webhooks writes secrets. */
      readonly secret: string
    }

/** The environment, read and checked. Frozen. Times in milliseconds. */
export interface Config {
  /** Whether `NODE_ENV` is `production`. */
  readonly production: boolean
  /** `sqlite:<path>` or `postgres://…`; may hold a password. */
  readonly databaseUrl: string
  /** `redis://…` or `rediss://…`, where rate limits are to be counted there; may hold a password. */
  readonly redisUrl: string | undefined
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** The parts whose routes the server has. */
  readonly parts: readonly Part[]
  /** `undefined`, which is refused where `NODE_ENV` is `production`: the secret kept in `.countersign/` is used. */
  readonly jwtKeys: KeyRing | undefined
  readonly encryptionKeys: KeyRing | undefined
  readonly relyingParty: {
    readonly id: string
    readonly name: string
    /** `undefined`, which is only outside of production: `http://localhost` with the port that is served on. */
    readonly origins: readonly string[] | undefined
  }
  readonly leastUserVerification: UserVerificationRequirement
  /** Whether a login by passkey that begins with an email lists passkeys. */
  readonly passkeyLists: 'on' | 'off'
  readonly rateLimits: 'on' | 'off'
  readonly challengeLifetime: number
  readonly confirmationLifetime: number
  readonly refreshLeeway: number
  readonly trustProxy: number
  /** The origins of other pages whose scripts may call. */
  readonly corsOrigins: readonly string[]
  readonly push: PushConfig
  /** Whether the page for trying things out is served at `/playground`: everywhere but in production. */
  readonly playground: boolean
  /** Whether the page that shows the interface is served at `/docs`: everywhere but in production, unless the operator says. */
  readonly reference: boolean
  readonly logLevel: LogLevel
  /** What is set and read by nothing. `serve` warns of it. */
  readonly unknownVariables: readonly UnknownVariable[]
}
