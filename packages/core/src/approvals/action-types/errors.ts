import { errorOf } from '../../shared/errors.ts'
import type { BreakingChange } from '../../shared/json-schema/compatibility/breaking-changes.ts'

/** No action type is registered with this key. */
export class ActionTypeNotFound extends errorOf('action_type_not_found') {}

/** The version is already registered. */
export class ActionTypeTaken extends errorOf('action_type_taken') {}

/** The new version refuses payloads that the active version accepts. */
export class ActionTypeBreaks extends errorOf('action_type_breaks') {
  readonly breaking: readonly BreakingChange[]

  constructor(message: string, breaking: readonly BreakingChange[]) {
    super(message)
    this.breaking = breaking
  }
}

/** Other processes changed the registry at the same time. The caller can try again. */
export class ActionTypesChangedMeanwhile extends errorOf('action_types_changed_meanwhile') {}

/** The schema accepts a member that the display does not show, or the display is malformed. */
export class DisplayRefused extends errorOf('display_refused') {
  constructor(reasons: readonly string[]) {
    super({ display: reasons.join('; ') })
    this.message = `The action type cannot be shown: ${reasons.join('; ')}`
  }
}
