import type { ErrorDeclaration } from './error-description.ts'

/** The codes that only the client library has, in addition to the codes of the project service. */
export const clientErrors = {
  SESSION_ENDED: { when: 'nobody is signed in, or the session has ended', remedy: 'The person signs in again.' },
  WRONG_PASSWORD: {
    when: 'the email or the password is wrong, or the account is closed to logins',
    remedy: 'Ask for the password again.',
  },
  NETWORK_ERROR: {
    when: 'No response arrived. The client cannot know whether the request took effect.',
    remedy: 'Check the connection. Before you repeat a change, read whether it took effect.',
  },
  TIMEOUT: {
    when: 'The service, or the storage of the browser or the phone, did not answer in time, or nobody decided in time.',
    remedy: 'As for `NETWORK_ERROR`, or allow more time with the option `timeout`.',
  },
  UNEXPECTED_ANSWER: {
    when: 'Another program answered, such as a proxy or a login page.',
    remedy: 'Check `baseUrl` and the proxies in between. `body` has the response.',
  },
  CHALLENGE_MISMATCH: {
    when: 'The challenge does not belong to the shown confirmation, or to this registration or login. Nothing was signed.',
    remedy:
      'Do not approve, and report it. At a registration or login, first check that the service is not older than the client.',
  },
  NO_DEVICE_SESSION: {
    when: 'The session was not opened by a device signature.',
    remedy: 'Log in with `client.mobile.login` before approving.',
  },
  NO_TRUSTED_PASSKEY: {
    when: 'The user has no trusted passkey that could approve.',
    remedy: 'Create a passkey with `client.passkeys.create`, and vouch for it.',
  },
  USER_CHANGED: {
    when: 'Another user has signed in, such as in another tab. The call was not made for that user.',
    remedy: 'Load the page again for the user who is signed in now.',
  },
  LOGOUT_PENDING: {
    when: 'The client is signed out, but the session could not be ended yet.',
    remedy: 'Tell the person. The client tries again, also after the next start of the app.',
  },
  PASSKEY_FAILED: { when: 'The browser gave no passkey.', remedy: 'Read the error of the browser in `cause`.' },
  UNSUPPORTED: { when: 'The platform lacks WebCrypto, IndexedDB or passkeys.', remedy: 'Offer another way, or use `https`.' },
  CONFIRMATION_REJECTED: {
    when: 'The person, or one of several people, rejected the action of a gated call.',
    remedy: 'Do not repeat the call. Nothing was changed.',
  },
  CONFIRMATION_EXPIRED: {
    when: 'The action of a gated call was not approved in time, or the confirmation or approval request was withdrawn.',
    remedy: 'Make the call again.',
  },
  RECEIPT_REFUSED: {
    when: 'The receipt of a used approval proves nothing, or another action. The approval is used.',
    remedy: 'Do not carry the action out. Check the receipt keys, and report the receipt.',
  },
} as const satisfies Readonly<Record<string, Pick<ErrorDeclaration, 'when' | 'remedy'>>>

/** A code that only the client library has. */
export type ClientErrorCode = keyof typeof clientErrors
