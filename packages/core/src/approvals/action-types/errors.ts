import { Conflict, Invalid, NotFound } from '../../shared/errors.ts'
import type { BreakingChange } from '../../shared/json-schema/compatibility/breaking-change.ts'

/** No action type is registered with this key. */
export class ActionTypeNotFound extends NotFound {
  static readonly code = 'action_type_not_found'
  override readonly code = ActionTypeNotFound.code
  constructor() {
    super('Action type not found')
  }
}

/** The version is already registered. */
export class ActionTypeTaken extends Conflict {
  static readonly code = 'action_type_taken'
  override readonly code = ActionTypeTaken.code
  constructor(key: string) {
    super(`${key} is registered already; a registered version never changes`)
  }
}

/** The new version refuses payloads that the active version accepts. */
export class ActionTypeBreaks extends Conflict {
  static readonly code = 'action_type_breaks'
  override readonly code = ActionTypeBreaks.code
  readonly breaking: readonly BreakingChange[]

  constructor(activeVersion: string, breaking: readonly BreakingChange[]) {
    const changes = breaking.map(({ field, reason }) => `${field}: ${reason}`).join('; ')
    super(`The schema would refuse what version ${activeVersion} accepts: ${changes}`)
    this.breaking = breaking
  }
}

/** Other processes changed the registry at the same time. The caller can try again. */
export class ActionTypesChangedMeanwhile extends Conflict {
  static readonly code = 'action_types_changed_meanwhile'
  override readonly code = ActionTypesChangedMeanwhile.code
  constructor() {
    super('The action types were changed by somebody else at the same time; try again')
  }
}

/** The schema admits a member that the display does not show, or the display is malformed. */
export class DisplayRefused extends Invalid {
  static readonly code = 'display_refused'
  override readonly code = DisplayRefused.code

  constructor(reasons: readonly string[]) {
    super({ display: reasons.join('; ') })
    this.message = `The action type cannot be shown: ${reasons.join('; ')}`
  }
}
