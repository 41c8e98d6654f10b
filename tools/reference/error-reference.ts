import type { ErrorCode as ClientCode } from '../../packages/client-sdk/src/index.ts'
import {
  type ErrorDescription,
  type ErrorPlace,
  errorDescriptions,
  type ProjectErrorCode,
  statusOfErrorCode,
} from '../../packages/contract/src/index.ts'
import { errorClasses } from '../../packages/core/src/errors.ts'

const introduction = `# Errors

Every error code: its status, when it happens, and after the arrow what to do. \`npm run docs\` makes this page from the code.

Compare codes, not messages. A code keeps its meaning. A message is for people and may become clearer. New codes can appear: treat an unknown code like its status.

The authentication service answers with \`message\`, \`statusCode\` and \`code\`. An error of status 400 also has \`details\`, which says for each bad field what the field takes. \`CONFIRMATION_REQUIRED\` has the action to confirm there:

\`{ "message": "email: must be an email address", "statusCode": 400, "code": "invalid_input", "details": { "email": "must be an email address" } }\`

Two answers have other forms. \`GET /internal/verify\` refuses a token with \`{ "valid": false, "message": "…", "statusCode": 401 }\` and gives no reason. \`GET /health\` answers 503 with its report.

The project service answers with \`error\`, an object that has \`code\`, \`message\`, \`details\` and \`statusCode\`. Its codes are [further down](#the-project-service).

Paths of no service have the error body of the authentication service.`

/** The codes of the project service's error bodies. The type demands an entry for each code. */
const projectCodes: Readonly<Record<ProjectErrorCode, readonly [when: string, remedy: string]>> = {
  VALIDATION_ERROR: ['A field of the request is missing or wrong.', 'Correct the fields that `details` names.'],
  UNAUTHORIZED: ['The request carries no valid access token.', 'Renew the access token, or log in.'],
  FORBIDDEN: ['The caller lacks a permission for projects.', 'Ask an administrator for the permission.'],
  CONFIRMATION_REQUIRED: [
    'A gate of the host asks for an approval, and the call has none. `details` has the action to confirm.',
    'Request a confirmation of exactly this action. After the approval, repeat the call with its id in `Confirmation-Id`.',
  ],
  NOT_FOUND: ['The path, the project or the product schema does not exist.', 'Check the path and the code in the path.'],
  METHOD_NOT_ALLOWED: ['The path does not take this method.', 'Use a method that the header `Allow` names.'],
  CONFLICT: ['The request conflicts with data that exists already.', 'Read the current data, then decide again.'],
  GONE: ['The thing that the request names is expired or used.', 'Begin again with a new one.'],
  PAYLOAD_TOO_LARGE: ['The body is larger than the operation takes.', 'Send less.'],
  UNSUPPORTED_MEDIA_TYPE: ['The body is not `application/json`.', 'Send JSON with `Content-Type: application/json`.'],
  RATE_LIMITED: ['A rate limit is exceeded.', 'Wait as many seconds as `Retry-After` says.'],
  INTERNAL_ERROR: ['The service has a fault.', 'Report the value of the header `X-Request-Id`.'],
  UNAVAILABLE: [
    'The database cannot be reached, or the service has too much to do.',
    'Wait as `Retry-After` says, then try again.',
  ],
}

/** The codes that only the client library has. The type demands an entry for each code. */
const clientCodes: Readonly<Record<Exclude<ClientCode, ProjectErrorCode>, readonly [when: string, remedy: string]>> = {
  SESSION_ENDED: ['nobody is signed in, or the session has ended', 'The person signs in again.'],
  WRONG_PASSWORD: ['the email or the password is wrong, or the account is closed to logins', 'Ask for the password again.'],
  NETWORK_ERROR: [
    'No response arrived. The client cannot know whether the request took effect.',
    'Check the connection. Before you repeat a change, read whether it took effect.',
  ],
  TIMEOUT: ['No response arrived in time.', 'As for `NETWORK_ERROR`, or allow more time with the option `timeout`.'],
  UNEXPECTED_ANSWER: [
    'Another program answered, such as a proxy or a login page.',
    'Check `baseUrl` and the proxies in between. `body` has the response.',
  ],
  CHALLENGE_MISMATCH: [
    'The challenge does not belong to the confirmation that is shown, or to this registration or login. Nothing was signed.',
    'Do not approve. Report it: somebody may have changed the request. At a registration or login, first check that the service is not older than the client.',
  ],
  NO_DEVICE_SESSION: ['The session was not opened by a device signature.', 'Log in with `client.mobile.login` before approving.'],
  USER_CHANGED: [
    'Another user has signed in, such as in another tab. The call was not made for that user.',
    'Load the page again for the user who is signed in now.',
  ],
  LOGOUT_PENDING: [
    'The client is signed out, but the session could not be ended yet.',
    'Tell the person. The client tries again, also after the next start of the app.',
  ],
  PASSKEY_FAILED: ['The browser gave no passkey.', 'Read the error of the browser in `cause`.'],
  UNSUPPORTED: ['The platform lacks WebCrypto, IndexedDB or passkeys.', 'Offer another way, or use `https`.'],
  CONFIRMATION_REJECTED: ['The person rejected the action of a gated call.', 'Do not repeat the call. Nothing was changed.'],
  CONFIRMATION_EXPIRED: ['The person did not decide on the action of a gated call in time.', 'Make the call again.'],
  RECEIPT_REFUSED: [
    'The receipt of a used approval proves nothing, or another action. The approval is used.',
    'Do not carry the action out. Check the receipt keys, and report the receipt.',
  ],
}

/** Escapes angle brackets, except in code spans. */
const prose = (text: string): string =>
  text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part.replaceAll('<', '\\<') : part))
    .join('`')

/** One code of a list: the code, what else is known of it, when it happens, and what to do. */
type Entry = readonly [code: string, note: string, when: string, remedy: string]

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`

const list = (entries: readonly Entry[]): string =>
  entries
    .map(
      ([code, note, when, remedy]) =>
        `- \`${code}\`${note === '' ? '' : `, ${note}`}: ${prose(sentence(when))} → ${prose(remedy)}`,
    )
    .join('\n')

const described = (place: ErrorPlace): readonly (readonly [string, ErrorDescription])[] =>
  Object.entries<ErrorDescription>(errorDescriptions).filter(([, one]) => one.place === place)

const byStatus = (one: readonly [string, ErrorDescription], other: readonly [string, ErrorDescription]): number =>
  one[1].status - other[1].status

const ofPlace = (place: ErrorPlace): string =>
  list([...described(place)].sort(byStatus).map(([code, { status, when, remedy }]) => [code, String(status), when, remedy]))

const classOf = (code: string): string => {
  const { name = '' } = (errorClasses as Readonly<Record<string, { readonly name: string }>>)[code] ?? {}
  return name === '' ? '' : `\`${name}\``
}

const ofHosts = (): string =>
  list([...described('projects'), ...described('host')].map(([code, { when, remedy }]) => [code, classOf(code), when, remedy]))

const sections = (): readonly string[] => [
  introduction,
  '## The authentication service',
  ofPlace('authentication'),
  '## The project service',
  `One error has another form: where the attributes of a product do not match the schema of its type, the body is \`{ "error": "<text>" }\` with status 400. The text names the product and each bad field.`,
  list(
    (Object.keys(projectCodes) as ProjectErrorCode[]).map((code) => [
      code,
      String(statusOfErrorCode[code]),
      ...projectCodes[code],
    ]),
  ),
  '## Hosts and the command line',
  'The core throws a `CountersignError` with the member `code`. The errors of the authentication service have the codes above. The errors of this list have codes that no HTTP response carries. `@countersign/core/errors` exports every class, and the table `errorClasses` has each class by its code.',
  ofHosts(),
  '## The client library',
  'A `CountersignError` of `@countersign/client-sdk` has two codes. `code` is the code of the project service for the status of the response, whichever service answered, or a code of this list. `serviceCode` is the exact code of the authentication service.',
  list(Object.entries(clientCodes).map(([code, texts]) => [code, '', ...texts])),
]

/** The page `docs/errors.md`: every error code. */
export const errorReference = (): string => `${sections().join('\n\n')}\n`
