import { NotFound } from '../../shared/errors.ts'

/** There is no session of this id, or it has been swept away since it ended. */
export class SessionNotFound extends NotFound {
  static readonly code = 'session_not_found'
  override readonly code = SessionNotFound.code
  constructor() {
    super('Session not found')
  }
}
