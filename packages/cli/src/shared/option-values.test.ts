import { readConfig } from '@countersign/server'
import { expect, test } from 'vitest'
import { collect, host, instant, port, userIdOrEmail, wholeNumber } from './option-values.ts'

test('a repeated option collects its values, and leaves the default list unchanged', () => {
  const none: readonly string[] = []
  expect(collect('b', collect('a', none))).toEqual(['a', 'b'])
  expect(none).toEqual([])
})

test('a whole number is read', () => {
  expect([wholeNumber('0'), wholeNumber('86400')]).toEqual([0, 86_400])
})

test.each(['', 'x', '-1', '1.5', '1e3', '0x10', ' 7', '9999999999999999'])('%j is refused as a whole number', (text) => {
  expect(() => wholeNumber(text)).toThrow('It takes a whole number.')
})

test('a port is at most 65535', () => {
  expect([port('0'), port('65535')]).toEqual([0, 65_535])
  expect(() => port('65536')).toThrow('It takes a port from 0 to 65535.')
})

test.each(['127.0.0.1', '::1', 'fe80::1%eth0', 'localhost', 'db_1.example.test'])(
  '%j is accepted as an address to listen on',
  (text) => {
    expect(host(text)).toBe(text)
    expect(readConfig({ COUNTERSIGN_HOST: text }).host).toBe(text)
  },
)

test.each([' ', ' 127.0.0.1', 'a b', 'http://localhost', '127.0.0.1/8', 'é', 'x'.repeat(256)])(
  '%j is refused as an address to listen on, in the option and in the variable',
  (text) => {
    expect(() => host(text)).toThrow('It takes an address or a host name.')
    expect(() => readConfig({ COUNTERSIGN_HOST: text })).toThrow('COUNTERSIGN_HOST: must be an address or a host name')
  },
)

test('an empty option is refused as a host, but an empty variable counts as not set', () => {
  expect(() => host('')).toThrow('It takes an address or a host name.')
})

test('a date is its first moment in UTC, and a timestamp is that moment', () => {
  expect(instant('2026-01-31')).toBe(Date.UTC(2026, 0, 31))
  expect(instant('2026-01-31T12:00Z')).toBe(Date.UTC(2026, 0, 31, 12))
  expect(instant('2026-01-31T12:00:00Z')).toBe(Date.UTC(2026, 0, 31, 12))
  expect(instant('2026-01-31T12:00:00.250Z')).toBe(Date.UTC(2026, 0, 31, 12, 0, 0, 250))
})

test.each(['', '2026', '31.01.2026', '2026-02-30', '2026-13-01', '2026-01-31T12:00:00', 'yesterday', '0'])(
  '%j is refused as a date',
  (text) => {
    expect(() => instant(text)).toThrow('It takes a date such as 2026-01-31')
  },
)

test('digits are the id of a user, and anything else is an email', () => {
  expect(userIdOrEmail('7')).toEqual({ userId: 7 })
  for (const email of ['ada@example.com', '7@example.com', '-7', '']) expect(userIdOrEmail(email)).toEqual({ email })
})
