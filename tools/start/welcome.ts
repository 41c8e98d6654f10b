import { styleText } from 'node:util'
import { demoUser } from '../demo/credentials.ts'
import type { Seeded } from '../demo/seed.ts'

const DEFAULT_URL = 'http://127.0.0.1:4000'
const ON_THIS_MACHINE = /^http:\/\/(?:127\.\d+\.\d+\.\d+|localhost|\[::1\]):/

const { email, password } = demoUser

const asJson = "-H 'Content-Type: application/json'"
const credentials = JSON.stringify({ email, password })

const trial = (url: string, { customerId }: Seeded): readonly string[] => [
  `  Demo user  ${email}`,
  `  Password   ${password}`,
  ...(ON_THIS_MACHINE.test(url) ? [] : ['             Whoever reaches this address can log in with it.']),
  '',
  '  Three things to try, in another terminal:',
  '',
  '  1. Log in',
  `     curl ${url}/api/v1/auth/login ${asJson} -d '${credentials}'`,
  '  2. See a payment approved on a device, step by step',
  `     npm run demo${url === DEFAULT_URL ? '' : ` -- --url ${url}`}`,
  '  3. Create a project, with the token of a login',
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
