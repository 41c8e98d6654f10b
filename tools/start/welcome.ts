import { styleText } from 'node:util'
import { demoUser } from '../demo/credentials.ts'

const DEFAULT_URL = 'http://127.0.0.1:4000'
const ON_THIS_MACHINE = /^http:\/\/(?:127\.\d+\.\d+\.\d+|localhost|\[::1\]):/

const { email, password } = demoUser

const trial = (url: string): readonly string[] => [
  `  Demo user  ${email}`,
  `  Password   ${password}`,
  ...(ON_THIS_MACHINE.test(url) ? [] : ['             Whoever reaches this address can log in with it.']),
  '',
  '  Three things to try, in another terminal:',
  '',
  '  1. Log in',
  `     curl ${url}/api/v1/auth/login -H 'Content-Type: application/json' -d '${JSON.stringify({ email, password })}'`,
  '  2. See a payment approved on a device, step by step',
  `     npm run demo${url === DEFAULT_URL ? '' : ` -- --url ${url}`}`,
  '  3. Look behind the scenes',
  '     npm run -s countersign -- user list',
]

/** What a person reads once the service listens. */
export const welcome = ({ url, isTrial }: { readonly url: string; readonly isTrial: boolean }): string =>
  [
    '',
    styleText('bold', '  Countersign is running. Ctrl-C stops it.'),
    '',
    `  Service    ${url}`,
    `  Health     ${url}/health`,
    ...(isTrial ? trial(url) : ['  No demo user is made in production.']),
    '',
  ].join('\n')
