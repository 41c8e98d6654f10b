import { error } from './error-description.ts'

/** The errors of identity: login, sessions, users, devices and passkeys. */
export const identityErrors = {
  invalid_credentials: error('unauthenticated', 'Invalid email or password', {
    when: 'The email or the password is wrong, or the user is disabled or locked. Nobody learns which.',
    remedy: 'Ask for email and password again.',
  }),
  invalid_access_token: error('unauthenticated', 'Invalid or expired token', {
    when: 'The access token is expired or malformed, or its session has ended.',
    remedy: 'Refresh the tokens, or log in, and send the request again.',
  }),
  invalid_refresh_token: error('unauthenticated', 'Invalid refresh token', {
    when: 'The refresh token is expired, malformed or used, or its session has ended.',
    remedy: 'Log in again. A second use of a refresh token without its `renewalKey` ends its session.',
  }),
  insufficient_trust_level: error('forbidden', 'Insufficient trust level', {
    when: 'The operation needs the session of a trusted device. Or the passkey that approves is on probation, or no passkey may approve here (`COUNTERSIGN_PASSKEY_APPROVALS`).',
    remedy: 'Log in by a trusted device, or use a trusted passkey where passkeys approve.',
  }),
  missing_scope: error('forbidden', 'Insufficient scope', {
    when: 'The service token lacks the exact scope. A scope with an asterisk never counts.',
    remedy: 'Issue a token that names the scope, such as `confirmation.redeem:payment_approval`.',
  }),
  device_already_registered: error('conflict', 'Device already registered for this user', {
    when: 'The user has an active device with this fingerprint.',
    remedy: 'Use the registered device, or remove it first.',
  }),
  too_many_devices: error('conflict', { when: 'The user has as many devices as are allowed.', remedy: 'Remove a device first.' }),
  device_already_trusted: error('conflict', 'Device is already trusted', {
    when: 'A vouching is started for a trusted device.',
    remedy: 'Do nothing: the device can approve.',
  }),
  wrong_password: error('unauthenticated', 'The current password is wrong', {
    when: 'A password is changed, and the current password is wrong.',
    remedy: 'Ask for the current password again. The session goes on.',
  }),
  passkey_already_trusted: error('conflict', 'Passkey is already trusted', {
    when: 'A vouching is started for a trusted passkey.',
    remedy: 'Do nothing.',
  }),
  device_not_found: error('not_found', 'Device not found', {
    when: 'The user has no active device with this id.',
    remedy: 'Take the id from the list.',
  }),
  registration_challenge_not_found: error('not_found', 'Registration challenge not found', {
    when: 'The user has no device registration with this `sessionId`.',
    remedy: 'Begin the registration again.',
  }),
  registration_challenge_gone: error('gone', 'Registration challenge expired or already used', {
    when: 'The challenge of the device registration is expired or used.',
    remedy: 'Begin the registration again.',
  }),
  invalid_device_signature: error('unauthenticated', 'Invalid device signature', {
    when: 'The signature of a device registration is not by the announced key.',
    remedy: 'Begin again, and sign the UTF-8 bytes of the challenge text.',
  }),
  invalid_biometric_token: error('unauthenticated', 'Invalid biometric token', {
    when: 'A login by device failed: the challenge, the device or the signature is wrong. Nobody learns which.',
    remedy: 'Sign a new challenge. If this keeps failing, register the device again.',
  }),
  account_locked: error('unauthenticated', {
    when: 'A device or passkey proved its key at a login, and its user is locked or disabled. `details` has `reason` (`locked` or `disabled`) and `since`. Nobody else learns it.',
    remedy: 'Tell the person, who asks an administrator to unlock or enable the account.',
  }),
  other_device: error('forbidden', 'The token belongs to another device', {
    when: 'A device approves with the access token of another device.',
    remedy: 'Log in with the device that approves, and send its id.',
  }),
  invalid_passkey: error('unauthenticated', 'Invalid passkey', {
    when: 'A registration or login with a passkey failed a check.',
    remedy: 'Begin again. Check that the service lists the origin of the page.',
  }),
  passkey_registration_not_found: error('not_found', 'Passkey registration not found', {
    when: 'The user has no passkey registration with this `challengeId`.',
    remedy: 'Begin the registration again.',
  }),
  passkey_registration_gone: error('gone', 'Passkey registration expired or already used', {
    when: 'The challenge of the passkey registration is expired or used.',
    remedy: 'Begin the registration again.',
  }),
  passkey_already_registered: error('conflict', 'Passkey already registered', {
    when: 'The passkey is registered already.',
    remedy: 'Log in with the passkey.',
  }),
  too_many_passkeys: error('conflict', {
    when: 'The user has as many passkeys as are allowed.',
    remedy: 'Remove a passkey first.',
  }),
  passkey_not_found: error('not_found', 'Passkey not found', {
    when: 'The user has no passkey with this id.',
    remedy: 'Take the id from the list.',
  }),
  passkey_of_several_users: error('conflict', 'Several users have a passkey of this id: name the user', {
    place: 'host',
    when: 'Passkeys of several users have this id.',
    remedy: 'Name the user too.',
  }),
  email_taken: error('conflict', 'A user with this email exists already', {
    place: 'host',
    when: 'Another user has this email.',
    remedy: 'Choose another email, or change that user.',
  }),
  no_delivery: error('not_found', 'This service delivers no codes', {
    when: 'A person asks for a code for a forgotten password, and the service has no way to deliver one (`deliverCode`).',
    remedy: 'Ask an administrator for a code: `countersign user reset`.',
  }),
  invalid_one_time_code: error('unauthenticated', 'Invalid or expired code', {
    when: 'The one-time code is unknown, used, expired or replaced, or its user cannot log in.',
    remedy: 'Ask the administrator for a new code.',
  }),
  user_not_found: error('not_found', 'User not found', {
    when: 'No user has this id or email. For a service, also: the user is disabled or locked.',
    remedy: 'Check the id or the email.',
  }),
  user_refused: error('conflict', 'The user is disabled or locked', {
    place: 'host',
    when: 'A code is made for a user who is disabled or locked.',
    remedy: 'Enable or unlock the user first.',
  }),
  user_may_not_sign_in: error('forbidden', 'The user is disabled or locked', {
    when: 'The host opens a session for a user who is disabled or locked.',
    remedy: 'Enable or unlock the user first.',
  }),
  no_password: error('conflict', 'The user has no password', {
    when: 'A signed-in user without a password changes the password.',
    remedy: 'Invite the user, who sets a password by the code.',
  }),
  user_changed_meanwhile: error('conflict', 'The user was changed by somebody else at the same time; try again', {
    place: 'host',
    when: 'Other callers kept changing the user.',
    remedy: 'Try again.',
  }),
  users_kept_elsewhere: error('conflict', 'The user directory of the host keeps this; change it there', {
    when: 'The directory of the host keeps the users and their passwords.',
    remedy: 'Change the user there.',
  }),
  session_not_found: error('not_found', 'Session not found', {
    place: 'host',
    when: 'No session has this id, or the session ended and was deleted.',
    remedy: 'Take the id from the list.',
  }),
  service_token_not_found: error('not_found', 'Service token not found', {
    place: 'host',
    when: 'No service token has this id.',
    remedy: 'Check the id: `countersign service-token list`.',
  }),
}
