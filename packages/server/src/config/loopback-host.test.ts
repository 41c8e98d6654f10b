import { expect, it } from 'vitest'
import { isLoopbackHost } from './serve-refusals.ts'

it.each(['127.0.0.1', '127.1.2.3', 'localhost', 'LOCALHOST', '::1'])('only this machine can reach a server on %s', (host) => {
  expect(isLoopbackHost(host)).toBe(true)
})

it.each(['0.0.0.0', '::', '0', '192.0.2.1', '127.evil.example', 'localhost.example', '::ffff:127.0.0.1', ''])(
  'other machines may reach a server on %j',
  (host) => {
    expect(isLoopbackHost(host)).toBe(false)
  },
)
