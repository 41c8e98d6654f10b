import { demoUser } from '@countersign/server'
import { expect, test } from 'vitest'
import { welcome } from './welcome.ts'

const host = '127.0.0.1'
const seeded = { customerId: '01900000-0000-7000-8000-000000000001' }

test('a person reads where the service is, who they are, and three things to try', () => {
  const text = welcome({ url: 'http://127.0.0.1:4000', host, seeded, reference: true })
  expect(text).toContain('  Health     http://127.0.0.1:4000/health')
  expect(text).toContain('  Interface  http://127.0.0.1:4000/docs')
  expect(text).toContain(demoUser.email)
  expect(text).toContain(demoUser.password)
  expect(text.match(/^ {2}\d\. .*$/gm)).toHaveLength(3)
  expect(text).toContain('     http://localhost:4000/playground\n')
  expect(text).toContain(`"customerId":"${seeded.customerId}"`)
  expect(text).toContain(String.raw`sed 's/.*"accessToken":"\([^"]*\)".*/\1/'`)
  expect(text).not.toContain('Whoever reaches')
})

test('on another port the demonstration is told the address, and the playground has it', () => {
  const text = welcome({ url: 'http://127.0.0.1:4100', host, seeded, reference: true })
  expect(text).toContain('npm run demo -- --url http://127.0.0.1:4100')
  expect(text).toContain('http://localhost:4100/playground')
})

test('on an address that others reach it warns of the password that everybody knows', () => {
  const text = welcome({ url: 'http://192.0.2.1:4000', host: '192.0.2.1', seeded, reference: true })
  expect(text).toContain('Whoever reaches this machine can log in with it.')
  expect(text).toContain('http://192.0.2.1:4000/playground')
})

test.each(['0.0.0.0', '::', '0'])('on all addresses (%s) it warns as well, though the address that it names is local', (host) => {
  const text = welcome({ url: 'http://localhost:4000', host, seeded, reference: true })
  expect(text).toContain('Whoever reaches this machine can log in with it.')
})

test('in production there is no demo user and no playground to tell of', () => {
  const text = welcome({ url: 'http://127.0.0.1:4000', host, seeded: undefined, reference: false })
  expect(text).not.toContain(demoUser.password)
  expect(text).not.toContain('playground')
  expect(text).not.toContain('/docs')
})

test('in production the page of the interface is told of where it is asked for', () => {
  expect(welcome({ url: 'http://127.0.0.1:4000', host, seeded: undefined, reference: true })).toContain(
    'http://127.0.0.1:4000/docs',
  )
})
