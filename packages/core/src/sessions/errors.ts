import { NotFound } from '../errors.ts'

export class SessionNotFound extends NotFound {
  static readonly code = 'session_not_found'
  override readonly code = SessionNotFound.code
  constructor() {
    super('Session not found')
  }
}
