import {
  clientErrors,
  codeOfStatus,
  type ErrorDescription,
  type ErrorPlace,
  errorDescriptions,
  projectServiceErrors,
} from '../../packages/contract/src/index.ts'
import { errorClasses } from '../../packages/core/src/errors.ts'

const introduction = `# Errors

Every error code: its status, when it happens, and in italics what to do. \`npm run docs\` makes this page from the code.

Compare codes, not messages: a code keeps its meaning, and a message may become clearer. Treat an unknown code like its status.

The authentication service, and a path of no service, answer in this form. \`details\` is there for status 400 and for \`CONFIRMATION_REQUIRED\`:

\`{ "message": "email: must be an email address", "statusCode": 400, "code": "invalid_input", "details": { "email": "must be an email address" } }\`

[\`/internal/verify\`](http-authentication.md#get-internalverify) and [\`/health\`](http-authentication.md#get-health) have other forms.`

/** Escapes angle brackets, except in code spans. */
const prose = (text: string): string =>
  text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part.replaceAll('<', '\\<') : part))
    .join('`')

const statusOf = (code: string): string => {
  const [status] = Object.entries<string>(codeOfStatus).find(([, one]) => one === code) ?? []
  return status ?? String(errorDescriptions[code as 'CONFIRMATION_REQUIRED'].status)
}

/** One code of a list: the code, what else is known of it, when it happens, and what to do. */
type Entry = readonly [code: string, note: string, when: string, remedy: string]

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`

const list = (entries: readonly Entry[]): string =>
  entries
    .map(
      ([code, note, when, remedy]) =>
        `- \`${code}\`${note === '' ? '' : `, ${note}`}: ${prose(sentence(when))} *${prose(remedy)}*`,
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
  'The body has an object `error`, or [a text](http-projects.md#envelope-and-errors) if the attributes of a product do not match their schema.',
  list(Object.entries(projectServiceErrors).map(([code, { when, remedy }]) => [code, statusOf(code), when, remedy])),
  '## Hosts and the command line',
  'The core throws a `CountersignError` with the member `code`: a code of the authentication service, or one of this list, which no HTTP response carries. The namespace `errors` of `@countersign/core` has every class, and its table `errorClasses` each class by its code.',
  ofHosts(),
  '## The client library',
  'A `CountersignError` of `@countersign/client-sdk` has two codes. `code` is the code of the project service for the status of the response, whichever service answered, or a code of this list. `serviceCode` is the exact code of the authentication service.',
  list(Object.entries(clientErrors).map(([code, { when, remedy }]) => [code, '', when, remedy])),
]

/** The page `docs/errors.md`: every error code. */
export const errorReference = (): string => `${sections().join('\n\n')}\n`
