import { errorOf } from '../../shared/errors.ts'

/** Another user has this email. */
export class EmailTaken extends errorOf('email_taken') {}

/** No such user exists. */
export class UserNotFound extends errorOf('user_not_found') {}

/** The user is disabled or locked, so no session is opened. */
export class UserMayNotSignIn extends errorOf('user_may_not_sign_in') {}

/** The user is disabled, locked, or was changed at the same time, so no code is issued. */
export class UserRefused extends errorOf('user_refused') {}

/** Concurrent changes of the user kept winning. The caller can try again. */
export class UserChangedMeanwhile extends errorOf('user_changed_meanwhile') {}

/** The directory of the host does not say who has a permission (`UserDirectory.holdersOf`). */
export class NoHolders extends errorOf('no_holders') {}

/** The users are in the directory of the host, and must be changed there. */
export class UsersKeptByHost extends errorOf('users_kept_elsewhere') {}
