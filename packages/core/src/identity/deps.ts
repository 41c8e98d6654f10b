import type { Instant } from '../shared/clock.ts'
import type { BaseDeps } from './base-deps.ts'
import type { PasswordHasher } from './hashing/hasher.ts'
import type { AttemptsInProgress } from './login-throttle/attempts-in-progress.ts'
import type { LoginSourceOf } from './login-throttle/login-failures.ts'
import type { DeliverCode } from './one-time-codes/code-delivery.ts'
import type { OnNotice } from './push/notify-of-change.ts'
import type { PushProvider } from './push/push-provider.ts'
import type { RateLimitStore } from './rate-limits/store.ts'
import type { IdentityStores } from './stores.ts'
import type { TokenKeys } from './tokens/token-keys.ts'
import type { KnownTokens } from './tokens/verify-token.ts'
import type { VouchingPort } from './trust/vouching-port.ts'
import type { AccountEndings, SettledConfirmation } from './user-model/account-endings.ts'
import type { CurrentUsers } from './user-model/current-users.ts'
import type { OnGrant } from './user-model/on-grant.ts'

/** The data of users that other parts keep: approvals keep confirmations and requests, projects name people. */
interface DataOfOtherParts {
  /** Erases the content of a user's data, in the transaction that has locked the row. Returns the settled confirmations. */
  erase(tx: IdentityStores, userId: number, now: Instant): Promise<readonly SettledConfirmation[]>
  /** Returns the data of a user, by the name of its kind. */
  export(userId: number, tenant?: string): Promise<Readonly<Record<string, unknown>>>
}

/** The dependencies of the use cases of identity. */
export interface IdentityDeps extends BaseDeps {
  readonly rateLimits: RateLimitStore
  readonly users: CurrentUsers
  readonly tokenKeys: TokenKeys
  readonly knownTokens: KnownTokens
  readonly loginSourceOf: LoginSourceOf
  readonly attemptsInProgress: AttemptsInProgress
  readonly passwords: PasswordHasher
  readonly push: PushProvider
  /** `undefined` if the host wants no notices. */
  readonly onNotice: OnNotice | undefined
  /** `undefined` if the host delivers no codes. */
  readonly deliverCode: DeliverCode | undefined
  readonly endings: AccountEndings
  readonly dataOfOtherParts: DataOfOtherParts
  readonly onGrant: OnGrant
  /** Asks trusted devices to vouch for new devices and passkeys. */
  readonly vouching: VouchingPort
}

/** Ends what an account or a session may still have approved. */
export type AccountEnder = Pick<IdentityDeps, 'endings'>
