import { Conflict, NotFound } from '../../shared/errors.ts'

/** Another user has this email. */
export class EmailTaken extends Conflict {
  static readonly code = 'email_taken'
  override readonly code = EmailTaken.code
  constructor() {
    super('A user with this email exists already')
  }
}

/** There is no such user. */
export class UserNotFound extends NotFound {
  static readonly code = 'user_not_found'
  override readonly code = UserNotFound.code
  constructor() {
    super('User not found')
  }
}

/** Somebody else changed the user again and again while this change was decided. It can be tried again. */
export class UserChangedMeanwhile extends Conflict {
  static readonly code = 'user_changed_meanwhile'
  override readonly code = UserChangedMeanwhile.code
  constructor() {
    super('The user was changed by somebody else at the same time; try again')
  }
}

/** The host keeps its users itself: what concerns them is changed there. */
export class UsersKeptElsewhere extends Conflict {
  static readonly code = 'users_kept_elsewhere'
  override readonly code = UsersKeptElsewhere.code
  constructor() {
    super('The user directory of the host keeps this; change it there')
  }
}
