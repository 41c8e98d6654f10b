import { styleText } from 'node:util'
import { demoUser } from '../demo/credentials.ts'
import type { Seeded } from '../demo/seed.ts'

const DEFAULT_URL = 'http://127.0.0.1:4000'
const ON_THIS_MACHINE = /^http:\/\/(?:127\.\d+\.\d+\.\d+|localhost|\[::1\]):/

const { email, password } = demoUser

/** Passkeys belong to a domain, and an IP address is none. */
const playgroundAt = (url: string): string => {
  const { port } = new URL(url)
  return `${ON_THIS_MACHINE.test(url) ? `http://localhost:${port}` : url}/playground`
}

const asJson = "-H 'Content-Type: application/json'"
const credentials = JSON.stringify({ email, password })

const trial = (url: string, { customerId }: Seeded): readonly string[] => [
  `  Demo user  ${email}`,
  `  Password   ${password}`,
  ...(ON_THIS_MACHINE.test(url) ? [] : ['             Whoever reaches this address can log in with it.']),
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

/** What a person reads once the service listens. @param seeded What there is to try out; nothing in production. */
export const welcome = ({ url, seeded }: { readonly url: string; readonly seeded: Seeded | undefined }): string =>
  [
    '',
    styleText('bold', '  Countersign is running. Ctrl-C stops it.'),
    '',
    `  Service    ${url}`,
    `  Health     ${url}/health`,
    ...(seeded === undefined ? ['  No demo user is made in production.'] : trial(url, seeded)),
    '',
  ].join('\n')
