import { styleText } from 'node:util'
import { allParts } from '@countersign/core'
import { type Config, demoUser, isLoopbackHost } from '@countersign/server'
import type { Seeded } from '../demo/seed.ts'

const DEFAULT_URL = 'http://127.0.0.1:4000'
const ON_THIS_MACHINE = /^http:\/\/(?:127\.\d+\.\d+\.\d+|localhost|\[::1\]):/

const { email, password } = demoUser

/** Returns the address of a page with a domain name. Passkeys belong to a domain, and an IP address is not a domain. */
export const pageAt = (url: string, path: string): string => {
  const { port } = new URL(url)
  return `${ON_THIS_MACHINE.test(url) ? `http://localhost:${port}` : url}${path}`
}

const asJson = "-H 'Content-Type: application/json'"
const credentials = JSON.stringify({ email, password })

/** A thing to try, with the lines that say how. */
type Trial = readonly [title: string, ...lines: readonly string[]]

const tryApprovals = (url: string): readonly Trial[] => [
  ['Passkeys, a phone and a payment to approve, in a browser and without writing code', pageAt(url, '/playground')],
  [
    'See a payment approved on a device, step by step, in another terminal',
    `npm run demo${url === DEFAULT_URL ? '' : ` -- --url ${url}`}`,
  ],
]

const tryProjects = (url: string, customerId: string): Trial => [
  'Create a project, with the token of a login, in another terminal',
  `TOKEN=$(curl -s ${url}/api/v1/auth/login ${asJson} -d '${credentials}' | sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')`,
  `curl ${url}/api/v1/projects -H "Authorization: Bearer $TOKEN" ${asJson} -d '${JSON.stringify({
    name: 'A bridge',
    customerId,
    contractValue: 125000,
    currency: 'EUR',
  })}'`,
]

const numberWords = ['No', 'One', 'Two', 'Three'] as const

/** Every trial begins with a login of the demo user, so a server without the part `identity` has no trial. */
const demoLines = (url: string, host: string, parts: Config['parts'] = allParts, { customerId }: Seeded): readonly string[] => {
  if (!parts.includes('identity')) return ['  Logins need another server with the part identity.']
  const trials = [
    ...(parts.includes('approvals') ? tryApprovals(url) : []),
    ...(customerId === undefined ? [] : [tryProjects(url, customerId)]),
  ]
  return [
    `  Demo user  ${email}`,
    `  Password   ${password}`,
    ...(isLoopbackHost(host) ? [] : ['             Whoever reaches this machine can log in with it.']),
    '',
    `  ${numberWords[trials.length]} ${trials.length === 1 ? 'thing' : 'things'} to try:`,
    '',
    ...trials.flatMap(([title, ...lines], at) => [`  ${at + 1}. ${title}`, ...lines.map((line) => `     ${line}`)]),
  ]
}

interface Welcome {
  readonly url: string
  /** The address that the server listens on. If it listens on all addresses, `url` still names this machine. */
  readonly host: string
  readonly parts: Config['parts']
  /** The demo data; `undefined` in production. */
  readonly seeded: Seeded | undefined
  readonly reference: boolean
  readonly approver: boolean
}

/** Returns the text that `npm start` prints when the server listens. */
export const welcome = ({ url, host, parts, seeded, reference, approver }: Welcome): string =>
  [
    '',
    styleText('bold', '  Countersign is running. Ctrl-C stops it.'),
    '',
    `  Service    ${url}`,
    `  Health     ${url}/health`,
    ...(approver ? [`  Approver   ${pageAt(url, '/approve/')}`] : []),
    ...(reference ? [`  Interface  ${url}/docs`] : []),
    ...(seeded === undefined ? ['  No demo user is made in production.'] : demoLines(url, host, parts, seeded)),
    '',
  ].join('\n')
