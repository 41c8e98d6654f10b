import { styleText } from 'node:util'
import { demoUser } from '../demo/credentials.ts'

const LOCAL = /^http:\/\/(?:127\.\d+\.\d+\.\d+|localhost|\[::1\]):/
const DEFAULT_URL = 'http://127.0.0.1:4000'

const login = (url: string): string =>
  `curl ${url}/api/v1/auth/login -H 'Content-Type: application/json' -d '${JSON.stringify({ email: demoUser.email, password: demoUser.password })}'`

const trial = (url: string): readonly string[] => [
  `  Demo user  ${demoUser.email}`,
  `  Password   ${demoUser.password}`,
  ...(LOCAL.test(url) ? [] : ['             Whoever reaches this address can log in with it.']),
  '',
  '  Three things to try, in another terminal:',
  `    1. Log in:                          ${login(url)}`,
  `    2. See a payment approved, step by step:  npm run demo${url === DEFAULT_URL ? '' : ` -- --url ${url}`}`,
  '    3. Look behind the scenes:          npm run -s countersign -- user list',
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
