import { errorOf } from '../../shared/errors.ts'

/** An action, as a confirmation of it is requested. */
export interface RequiredAction {
  readonly actionType: string
  readonly actionPayload: Readonly<Record<string, unknown>>
}

/**
 * A gate asks for an approval, and the call has none. `details` is the action to confirm: the service built it from what the call
 * would do. After the approval, the caller repeats the call with the id of the confirmation.
 */
export class ConfirmationRequired extends errorOf('CONFIRMATION_REQUIRED') {
  readonly details: RequiredAction

  constructor({ actionType, actionPayload }: RequiredAction) {
    super('Confirmation required')
    this.details = { actionType, actionPayload }
  }
}
