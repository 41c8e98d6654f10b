import type { RouteName } from './router.ts'

/** A request whose response is known, without anything that the client chose. */
export interface AnsweredRequest {
  readonly operation: RouteName
  readonly status: number
  readonly milliseconds: number
  /** The code of a refusal. */
  readonly code: string | undefined
}
