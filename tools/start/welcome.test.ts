import { expect, test } from 'vitest'
import { demoUser } from '../demo/credentials.ts'
import { welcome } from './welcome.ts'

const seeded = { customerId: '01900000-0000-7000-8000-000000000001' }

test('a person reads where the service is, who they are, and three things to try', () => {
  const text = welcome({ url: 'http://127.0.0.1:4000', seeded })
  expect(text).toContain('  Health     http://127.0.0.1:4000/health')
  expect(text).toContain(demoUser.email)
  expect(text).toContain(demoUser.password)
  expect(text.match(/^ {5}(?:curl|npm) .*$/gm)).toHaveLength(3)
  expect(text).toContain(`"customerId":"${seeded.customerId}"`)
  expect(text).toContain(String.raw`sed 's/.*"accessToken":"\([^"]*\)".*/\1/'`)
  expect(text).not.toContain('Whoever reaches')
})

test('on another port the demonstration is told the address', () => {
  expect(welcome({ url: 'http://127.0.0.1:4100', seeded })).toContain('npm run demo -- --url http://127.0.0.1:4100')
})

test('on an address that others reach it warns of the password that everybody knows', () => {
  expect(welcome({ url: 'http://192.0.2.1:4000', seeded })).toContain('Whoever reaches this address can log in with it.')
})

test('in production there is no demo user to tell of', () => {
  expect(welcome({ url: 'http://127.0.0.1:4000', seeded: undefined })).not.toContain(demoUser.password)
})
