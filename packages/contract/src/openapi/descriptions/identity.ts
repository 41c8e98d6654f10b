import { sentences } from './sentences.ts'

/** The facts that a caller of each operation of identity must know, beyond its title. */
export const identityDescriptions = {
  'auth.login': sentences(
    'Answers with a token pair. Every wrong part gets the same 401, also an unknown email.',
    'After 20 wrong passwords in a row from one address, the account must wait.',
  ),
  'auth.refresh': sentences(
    'The old token is spent. Sending a spent token again ends the session.',
    'A client that lost the answer sends the same `renewalKey` again within a minute, and gets the same successor.',
  ),
  'auth.logout':
    'The refresh token ends its session only if it belongs to the same user. A bad refresh token gets the same answer.',
  'password.change': sentences(
    'Needs the current password, and a new one of 12 to 128 characters.',
    'What the ended sessions registered on probation or asked for is undone.',
  ),
  'password.forgot': sentences(
    'The answer is the same for every email, and nothing tells whether a mail goes out.',
    'The code sets a password, but no phone becomes trusted by it. A service that delivers no codes answers 404.',
  ),
  'password.checkCode': sentences(
    'Answers with the kind of the code, and with the first letter and the host of the email of its user.',
    'May be called any number of times.',
  ),
  'password.redeem': sentences(
    'Takes the code of a reset, of an invitation or of a forgotten password.',
    'With `signIn`, the answer has the tokens of a new session. Devices and passkeys on probation are removed.',
    'A new password that is refused does not use the code up.',
  ),
  'account.me': sentences(
    'Has the permissions of this moment, which the access token may not have yet.',
    '`can.approve` says whether a signature of this session counts now.',
  ),
  'account.lock': sentences(
    'Ends every session, rejects what is pending, voids unused approvals and codes, and removes devices on probation.',
    'Only an administrator can unlock the account.',
  ),
  'sessions.list': sentences(
    'Newest first, page by page. `current` marks the session of this request.',
    'A session that is bound to tenants sees only sessions with the same bound.',
  ),
  'sessions.open': sentences(
    'Needs the scope `session.open`, with which a service signs in as anybody. The sign-in must be at most 24 hours old.',
    'Trusted devices learn of sessions from new addresses.',
  ),
  'sessions.end':
    'What the session registered on probation or asked for is undone. A session of another user and an ended one get the same 404.',
  'sessions.endOthers':
    'The session of this request stays. What the ended sessions registered on probation or asked for is undone.',
  'devices.list': 'Oldest first, without removed devices. The extended answer says whether each device can approve now.',
  'devices.remove': sentences(
    'Its signatures are refused from now on. What its sessions registered on probation or asked for is undone.',
    'The fingerprint can be registered again.',
  ),
  'devices.setPushToken': sentences(
    'Replaces the push token of a device of the user; without the id of a device, of the passkey that opened the session.',
    'A token that another device or passkey holds moves to this one.',
  ),
  'devices.beginRegistration': sentences(
    'The device signs the challenge within two minutes and sends the signature to `register/verify`.',
    'A user has at most 20 devices.',
  ),
  'devices.finishRegistration': sentences(
    'Each challenge takes one attempt. The device may be on probation: it logs in and approves nothing.',
    'Probation ends when a trusted device vouches for it, after a waiting time, or by an administrator.',
  ),
  'mobile.beginLogin': sentences(
    'An unknown device gets an answer of the same form, so that nobody learns which devices exist.',
    'The challenge expires after two minutes.',
  ),
  'mobile.finishLogin': sentences(
    'Answers with tokens whose access token lives 15 minutes.',
    'Only a client that signs correctly learns that the account is locked or disabled (`account_locked`).',
  ),
  'mobile.refresh': sentences(
    'For sessions that a device signature opened.',
    'Sending a spent token again ends the session, except with the same `renewalKey` within a minute.',
  ),
  'passkeys.beginRegistration': sentences(
    'Pass `publicKey` to `navigator.credentials.create()`, and send the result to `register/finish` within two minutes.',
    'A user has at most 20 passkeys.',
  ),
  'passkeys.finishRegistration': sentences(
    'A malformed part gets 400, and the registration can still be finished; a credential that fails a check gets 401.',
    'The passkey may be on probation, like a device.',
  ),
  'passkeys.beginLogin':
    'Without an email, any discoverable passkey can answer. An unknown email gets an answer of the same form as a known one.',
  'passkeys.finishLogin':
    'Answers with a token pair, as a login by password does. Each `challengeId` works once, within two minutes.',
  'passkeys.list': 'Oldest first. `backedUp` says whether the passkey is synchronised to other devices.',
  'passkeys.rename': 'A name has 1 to 255 letters, digits, spaces, hyphens or apostrophes. A passkey of another user gets 404.',
  'passkeys.remove': 'Only the service forgets the passkey. The person deletes it in the browser or the password manager too.',
  'internal.verify': sentences(
    'The bearer is the token in question. The answer has the permissions of this moment, and a session that has ended gets 401.',
    'A service may ask with its own token too.',
  ),
} as const
