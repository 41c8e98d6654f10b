import type { ConfirmationStore } from './approvals/confirmations/store.ts'
import type { ChallengeStore } from './identity/challenges/store.ts'
import type { DecoyProfileStore } from './identity/decoys/store.ts'
import type { DeviceStore } from './identity/devices/store.ts'
import type { LoginFailureStore } from './identity/login/login-failures.ts'
import type { PasskeyStore } from './identity/passkeys/store.ts'
import type { RateLimitStore } from './identity/rate-limits/store.ts'
import type { ServiceTokenStore } from './identity/service-tokens/store.ts'
import type { SessionStore } from './identity/sessions/store.ts'
import type { UserStore } from './identity/users/store.ts'
import type { CustomerStore } from './projects/customers/store.ts'
import type { ExpenseStore } from './projects/expenses/store.ts'
import type { ProductSchemaStore } from './projects/product-schemas/store.ts'
import type { ProjectStore } from './projects/projects/store.ts'
import type { ResourceStore } from './projects/resources/store.ts'
import type { Instant } from './shared/clock.ts'
import type { DataMoveOptions, DataSource, MovedTable } from './shared/data-moves/data-move.ts'

/** One small store an aggregate. What each promises under concurrency stands with its methods. */
export interface Stores {
  readonly users: UserStore
  readonly sessions: SessionStore
  readonly loginFailures: LoginFailureStore
  readonly devices: DeviceStore
  readonly passkeys: PasskeyStore
  readonly decoyProfiles: DecoyProfileStore
  readonly challenges: ChallengeStore
  readonly confirmations: ConfirmationStore
  readonly serviceTokens: ServiceTokenStore
  readonly rateLimits: RateLimitStore
  readonly customers: CustomerStore
  readonly projects: ProjectStore
  readonly productSchemas: ProductSchemaStore
  readonly resources: ResourceStore
  readonly expenses: ExpenseStore
}

/**
 * A database. Every method that writes resolves once the write is durable. A database that is away, locked for too
 * long or full makes any method reject with `Unavailable`.
 */
export interface Storage extends Stores {
  /**
   * Runs `work` in one transaction and resolves once it is durable; if `work` rejects, nothing of it happened.
   * Inside, only `tx` may be used, and nothing but the database awaited. `work` may be run again where the
   * database asks for it, so it must have no other effect.
   */
  transaction<T>(work: (tx: Stores) => Promise<T>): Promise<T>
  /** Resolves where the database answers. */
  ping(): Promise<void>
  /** Deletes what no rule can need any more as of `now`, in bounded steps; tells how many rows. */
  sweep(now: Instant): Promise<number>
  close(): Promise<void>
}

/** A database whose schema is kept by migrations. */
export interface MigratedStorage extends Storage, DataSource {
  /**
   * Applies what is pending, under a lock; returns the names applied. A failing migration leaves nothing behind.
   *
   * @throws DataMoveUnfinished where a move into this database is under way or was broken off
   */
  migrate(): Promise<readonly string[]>
  /**
   * Names of the migrations that this program knows, by whether they are applied, and of those that a newer program applied:
   * they are left alone, and the database may be used.
   *
   * @throws DataMoveUnfinished as `migrate` does
   */
  migrationStatus(): Promise<{
    readonly applied: readonly string[]
    readonly pending: readonly string[]
    readonly newer: readonly string[]
  }>
  /**
   * Copies everything out of another database into this one, which must hold nothing yet, brings its schema up to date
   * before where the two fit, and compares both afterwards, row by row. Broken off, it leaves a database that refuses to be used, and goes on
   * where it was when called again; begins anew where the source has changed what was copied already. Called again on what
   * is copied, it compares only. Several at once never write anything twice: all but one are refused.
   *
   * Resolves with each table and the number of its rows, once all of it is durable and found to be the same.
   *
   * @throws DataMoveRefused where the databases do not fit or are one and the same, or this one holds something else
   * @throws DataMoveDiffers where the copy is not what the source holds, or that was written to meanwhile
   */
  takeOver(source: DataSource, options?: DataMoveOptions): Promise<readonly MovedTable[]>
}
