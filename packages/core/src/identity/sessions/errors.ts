import { NotFound } from '../../shared/errors.ts'

/** No session has this id, or the session ended and was swept. */
export class SessionNotFound extends NotFound {
  static readonly code = 'session_not_found'
  override readonly code = SessionNotFound.code
  constructor() {
    super('Session not found')
  }
}
