import type { LoginSourceOf } from './identity/login/login-source.ts'
import type { LoginTries } from './identity/login/login-tries.ts'
import type { PasswordHasher } from './identity/passwords/hasher.ts'
import type { PushProvider } from './identity/push/push-provider.ts'
import type { RateLimitStore } from './identity/rate-limits/store.ts'
import type { KnownTokens } from './identity/tokens/known-tokens.ts'
import type { TokenKeys } from './identity/tokens/token-keys.ts'
import type { CurrentUsers } from './identity/users/current-users.ts'
import type { Options } from './options.ts'
import type { Background } from './shared/background.ts'
import type { Clock } from './shared/clock.ts'
import type { KeyRing } from './shared/crypto/key-ring.ts'
import type { Logger } from './shared/logger.ts'
import type { Random } from './shared/random.ts'
import type { Storage } from './storage.ts'

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
