import { errorOf } from '../../shared/errors.ts'

/** No session has this id, or the session ended and was swept. */
export class SessionNotFound extends errorOf('session_not_found') {}
