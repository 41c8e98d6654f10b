import { styleText } from 'node:util'
import { demoUser, isLoopbackHost } from '@countersign/server'
import type { Seeded } from '../demo/seed.ts'

const DEFAULT_URL = 'http://127.0.0.1:4000'
const ON_THIS_MACHINE = /^http:\/\/(?:127\.\d+\.\d+\.\d+|localhost|\[::1\]):/

const { email, password } = demoUser

/** Returns the address of the playground with a domain name. Passkeys belong to a domain, and an IP address is no domain. */
const playgroundAt = (url: string): string => {
  const { port } = new URL(url)
  return `${ON_THIS_MACHINE.test(url) ? `http://localhost:${port}` : url}/playground`
}

const asJson = "-H 'Content-Type: application/json'"
const credentials = JSON.stringify({ email, password })

const trial = (url: string, host: string, { customerId }: Seeded): readonly string[] => [
  `  Demo user  ${email}`,
  `  Password   ${password}`,
  ...(isLoopbackHost(host) ? [] : ['             Whoever reaches this machine can log in with it.']),
  '',
  '  Three things to try:',
  '',
  '  1. Passkeys, a phone and a payment to approve, in a browser and without writing code',
  `     ${playgroundAt(url)}`,
  '  2. See a payment approved on a device, step by step, in another terminal',
  `     npm run demo${url === DEFAULT_URL ? '' : ` -- --url ${url}`}`,
  '  3. Create a project, with the token of a login, in another terminal',
  `     TOKEN=$(curl -s ${url}/api/v1/auth/login ${asJson} -d '${credentials}' | sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')`,
  `     curl ${url}/api/v1/projects -H "Authorization: Bearer $TOKEN" ${asJson} -d '${JSON.stringify({
    name: 'A bridge',
    customerId,
    contractValue: 125000,
    currency: 'EUR',
  })}'`,
]

interface Welcome {
  readonly url: string
  /** The address that the server listens on. Where it listens on all addresses, `url` still names this machine. */
  readonly host: string
  /** The demo data; `undefined` in production. */
  readonly seeded: Seeded | undefined
  /** True where the page at `/docs` is served. */
  readonly reference: boolean
}

/** Returns the text that `npm start` prints when the server listens. */
export const welcome = ({ url, host, seeded, reference }: Welcome): string =>
  [
    '',
    styleText('bold', '  Countersign is running. Ctrl-C stops it.'),
    '',
    `  Service    ${url}`,
    `  Health     ${url}/health`,
    ...(reference ? [`  Interface  ${url}/docs`] : []),
    ...(seeded === undefined ? ['  No demo user is made in production.'] : trial(url, host, seeded)),
    '',
  ].join('\n')
