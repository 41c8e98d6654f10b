import type { UnavailableReason } from '@countersign/core'
import type { RouteName } from './router.ts'

/** A request whose response is known, without anything that the client chose. */
export interface AnsweredRequest {
  readonly operation: RouteName
  readonly status: number
  readonly milliseconds: number
  /** The code of a refusal. */
  readonly code: string | undefined
  /** The cause of a refusal with 503. */
  readonly reason: UnavailableReason | undefined
}
