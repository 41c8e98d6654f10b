import type { ChallengeStore } from './challenges/store.ts'
import type { DeviceRegistrationStore } from './devices/registration-evidence.ts'
import type { DeviceStore } from './devices/store.ts'
import type { LoginFailureStore } from './login/login-failures.ts'
import type { OneTimeCodeStore } from './one-time-codes/store.ts'
import type { PasskeyStore } from './passkeys/store.ts'
import type { RateLimitStore } from './rate-limits/store.ts'
import type { SecretStore } from './secrets/store.ts'
import type { ServerStore } from './servers/store.ts'
import type { ServiceTokenStore } from './service-tokens/store.ts'
import type { SessionStore } from './sessions/store.ts'
import type { TrustStore } from './trust/store.ts'
import type { UserStore } from './users/store.ts'

/** The stores of identity, one for each aggregate. */
export interface IdentityStores {
  readonly users: UserStore
  readonly sessions: SessionStore
  readonly loginFailures: LoginFailureStore
  readonly devices: DeviceStore
  readonly deviceRegistrations: DeviceRegistrationStore
  readonly passkeys: PasskeyStore
  readonly trust: TrustStore
  readonly secrets: SecretStore
  readonly servers: ServerStore
  readonly challenges: ChallengeStore
  readonly oneTimeCodes: OneTimeCodeStore
  readonly serviceTokens: ServiceTokenStore
  readonly rateLimits: RateLimitStore
}
