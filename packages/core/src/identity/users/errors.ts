import { Conflict, NotFound } from '../../shared/errors.ts'

/** Another user has this email. */
export class EmailTaken extends Conflict {
  static readonly code = 'email_taken'
  override readonly code = EmailTaken.code
  constructor() {
    super('A user with this email exists already')
  }
}

/** No such user exists. */
export class UserNotFound extends NotFound {
  static readonly code = 'user_not_found'
  override readonly code = UserNotFound.code
  constructor() {
    super('User not found')
  }
}

/** The user is disabled, locked, or was changed at the same time, so no code is issued. */
export class UserRefused extends Conflict {
  static readonly code = 'user_refused'
  override readonly code = UserRefused.code
  constructor() {
    super('The user is disabled or locked')
  }
}

/** Concurrent changes of the user kept winning. The caller can try again. */
export class UserChangedMeanwhile extends Conflict {
  static readonly code = 'user_changed_meanwhile'
  override readonly code = UserChangedMeanwhile.code
  constructor() {
    super('The user was changed by somebody else at the same time; try again')
  }
}

/** The users are in the directory of the host, and must be changed there. */
export class UsersKeptElsewhere extends Conflict {
  static readonly code = 'users_kept_elsewhere'
  override readonly code = UsersKeptElsewhere.code
  constructor() {
    super('The user directory of the host keeps this; change it there')
  }
}
