import type { LoginSourceOf } from './auth/login-source.ts'
import type { LoginTries } from './auth/login-tries.ts'
import type { KeyRing } from './crypto/key-ring.ts'
import type { Options } from './options.ts'
import type { PasswordHasher } from './passwords/hasher.ts'
import type { Background } from './ports/background.ts'
import type { Clock } from './ports/clock.ts'
import type { Logger } from './ports/logger.ts'
import type { Random } from './ports/random.ts'
import type { Storage } from './ports/storage.ts'
import type { PushProvider } from './push/push-provider.ts'
import type { RateLimitStore } from './rate-limits/store.ts'
import type { KnownTokens } from './tokens/known-tokens.ts'
import type { TokenKeys } from './tokens/token-keys.ts'
import type { CurrentUsers } from './users/current-users.ts'

/** Everything a use case may need; each names its own share by `Pick`. */
export interface Deps {
  readonly storage: Storage
  readonly rateLimits: RateLimitStore
  readonly users: CurrentUsers
  readonly clock: Clock
  readonly random: Random
  readonly tokenKeys: TokenKeys
  readonly knownTokens: KnownTokens
  readonly loginSourceOf: LoginSourceOf
  readonly loginTries: LoginTries
  readonly encryptionKeys: KeyRing
  readonly passwords: PasswordHasher
  readonly push: PushProvider
  readonly background: Background
  readonly logger: Logger
  readonly options: Options
}
