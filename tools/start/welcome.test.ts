import { allParts } from '@countersign/core'
import { demoUser } from '@countersign/server'
import { expect, test } from 'vitest'
import { welcome } from './welcome.ts'

const host = '127.0.0.1'
const seeded = { customerId: '01900000-0000-7000-8000-000000000001' }

test('the text names the address, the demo user, and three things to try', () => {
  const text = welcome({ url: 'http://127.0.0.1:4000', host, parts: allParts, seeded, reference: true, approver: true })
  expect(text).toContain('  Health     http://127.0.0.1:4000/health')
  expect(text).toContain('  Approver   http://localhost:4000/approve/')
  expect(text).toContain('  Interface  http://127.0.0.1:4000/docs')
  expect(text).toContain(demoUser.email)
  expect(text).toContain(demoUser.password)
  expect(text.match(/^ {2}\d\. .*$/gm)).toHaveLength(3)
  expect(text).toContain('     http://localhost:4000/playground\n')
  expect(text).toContain(`"customerId":"${seeded.customerId}"`)
  expect(text).toContain(String.raw`sed 's/.*"accessToken":"\([^"]*\)".*/\1/'`)
  expect(text).not.toContain('Whoever reaches')
})

test('on another port, the commands and links of the text contain the address', () => {
  const text = welcome({ url: 'http://127.0.0.1:4100', host, parts: allParts, seeded, reference: true, approver: true })
  expect(text).toContain('npm run demo -- --url http://127.0.0.1:4100')
  expect(text).toContain('http://localhost:4100/playground')
})

test('on an address that other machines can reach, the text warns of the public password', () => {
  const text = welcome({
    url: 'http://192.0.2.1:4000',
    host: '192.0.2.1',
    parts: allParts,
    seeded,
    reference: true,
    approver: true,
  })
  expect(text).toContain('Whoever reaches this machine can log in with it.')
  expect(text).toContain('http://192.0.2.1:4000/playground')
})

test.each(['0.0.0.0', '::', '0'])('on all addresses (%s), the text warns too, although it names a local address', (host) => {
  const text = welcome({ url: 'http://localhost:4000', host, parts: allParts, seeded, reference: true, approver: true })
  expect(text).toContain('Whoever reaches this machine can log in with it.')
})

test('in production, the text mentions no demo user and no playground', () => {
  const text = welcome({
    url: 'http://127.0.0.1:4000',
    host,
    parts: allParts,
    seeded: undefined,
    reference: false,
    approver: false,
  })
  expect(text).not.toContain(demoUser.password)
  expect(text).not.toContain('playground')
  expect(text).not.toContain('/docs')
  expect(text).not.toContain('/approve')
})

test('in production, the text mentions the page /docs when it is turned on', () => {
  expect(
    welcome({ url: 'http://127.0.0.1:4000', host, parts: allParts, seeded: undefined, reference: true, approver: true }),
  ).toContain('http://127.0.0.1:4000/docs')
})

test('the text names only what the served parts can do', () => {
  const textOf = (parts: Parameters<typeof welcome>[0]['parts'], customerId?: string) =>
    welcome({ url: 'http://127.0.0.1:4000', host, parts, seeded: { customerId }, reference: true, approver: true })
  const withoutProjects = textOf(['identity', 'approvals'])
  expect(withoutProjects).toContain('  Two things to try:')
  expect(withoutProjects).not.toContain('project')
  const withoutApprovals = textOf(['identity', 'projects'], seeded.customerId)
  expect(withoutApprovals).toContain('  One thing to try:')
  expect(withoutApprovals).not.toContain('playground')
  const withoutIdentity = textOf(['projects'], seeded.customerId)
  expect(withoutIdentity).toContain('  Logins need another server with the part identity.')
  expect(withoutIdentity).not.toContain(demoUser.password)
})
