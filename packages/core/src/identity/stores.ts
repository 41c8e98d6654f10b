import type { SecretStore } from './digest-key.ts'
import type { LoginFailureStore } from './login-throttle/login-failures.ts'
import type { RateLimitStore } from './rate-limits/store.ts'
import type { ServerStore } from './records/announced-server.ts'
import type { ChallengeStore } from './records/challenge.ts'
import type { DelegationStore } from './records/delegation.ts'
import type { DeviceStore } from './records/device.ts'
import type { OneTimeCodeStore } from './records/one-time-code.ts'
import type { PasskeyStore } from './records/passkey.ts'
import type { ServiceTokenStore } from './records/service-token.ts'
import type { SessionStore } from './records/session.ts'
import type { TrustStore } from './records/trust-store.ts'
import type { UserStore } from './records/user.ts'

/** The stores of identity, one for each aggregate. */
export interface IdentityStores {
  readonly users: UserStore
  readonly delegations: DelegationStore
  readonly sessions: SessionStore
  readonly loginFailures: LoginFailureStore
  readonly devices: DeviceStore
  readonly passkeys: PasskeyStore
  readonly trust: TrustStore
  readonly secrets: SecretStore
  readonly servers: ServerStore
  readonly challenges: ChallengeStore
  readonly oneTimeCodes: OneTimeCodeStore
  readonly serviceTokens: ServiceTokenStore
  readonly rateLimits: RateLimitStore
}
