import { describe, expect, it } from 'vitest'
import { isWanted, readServers } from './read-servers.ts'

describe('the servers in a database URL', () => {
  it.each([
    ['postgres://u:p@one.test/app', ['postgres://u:p@one.test/app']],
    ['postgresql://one.test:5433/app?connect_timeout=3', ['postgresql://one.test:5433/app?connect_timeout=3']],
    ['postgres://u:p@one.test:1,two.test/app', ['postgres://u:p@one.test:1/app', 'postgres://u:p@two.test/app']],
    ['postgres://[2001:db8::1]:5433,[::1]/app', ['postgres://[2001:db8::1]:5433/app', 'postgres://[::1]/app']],
    ['postgres:///app?host=one.test,::1&port=5433', ['postgres://one.test:5433/app', 'postgres://[::1]:5433/app']],
    ['postgres:///app?host=one.test,two.test&port=1,2', ['postgres://one.test:1/app', 'postgres://two.test:2/app']],
    ['postgres:///app?host=/run/postgresql', ['postgres://%2Frun%2Fpostgresql/app']],
  ])('are read as %s', (url, urls) => {
    expect(readServers(url).urls).toStrictEqual(urls)
  })

  it.each([
    ['postgres://one.test/app', 'any'],
    ['postgres://one.test,two.test/app', 'read-write'],
    ['postgres://one.test,two.test/app?target_session_attrs=primary', 'primary'],
    ['postgres://one.test,two.test/app?target_session_attrs=any', 'any'],
  ])('get the default or given target_session_attrs: %s, %s', (url, attributes) => {
    expect(readServers(url).attributes).toBe(attributes)
  })

  it.each([
    ['require', 'verify-full'],
    ['prefer', 'verify-full'],
    ['verify-ca', 'verify-full'],
    ['verify-full', 'verify-full'],
    ['no-verify', 'no-verify'],
    ['disable', 'disable'],
  ])('are verified by certificate whenever sslmode asks for encryption: sslmode=%s', (given, meant) => {
    expect(readServers(`postgres://one.test/app?sslmode=${given}`).urls).toStrictEqual([
      `postgres://one.test/app?sslmode=${meant}`,
    ])
  })

  it('are verified as libpq does when uselibpqcompat is set', () => {
    const url = 'postgres://one.test/app?sslmode=require&uselibpqcompat=true'
    expect(readServers(url).urls).toStrictEqual([url])
  })

  it('can be displayed without the password', () => {
    const { place } = readServers('postgres://ada:secret-word@one.test:1,two.test/app?password=secret-word')
    expect(place).toBe('one.test:1,two.test/app')
  })

  it.each(['/secret-word', '12/secret-word', '12?secret-word', '12#secret-word'])(
    'are not read if the password is not percent-encoded: %s',
    (password) => {
      const read = () => readServers(`postgres://ada:${password}@one.test/app`)
      expect(read).toThrow(/^percent-encode the password/)
      expect(read).not.toThrow(/secret-word/)
    },
  )

  it.each([
    'mysql://ada:secret-word@one.test/app',
    'postgres://ada:secret-word@[/app',
    'postgres://ada:secret-word@one.test,two.test:x/app',
    'postgres://ada:secret-word@one.test/app?target_session_attrs=standby',
    'postgres://ada:secret-word@one.test/app?sslmode=secret-word',
    'postgres://ada:secret-word@/app?host=one.test,two.test&port=1,2,3',
  ])('are refused when malformed, with a message that omits the URL: %s', (url) => {
    const read = () => readServers(url)
    expect(read).toThrow(/^(its URL|sslmode|target_session_attrs) /)
    expect(read).not.toThrow(/secret-word/)
  })
})

it.each(['sslrootcert', 'sslcert', 'sslkey'])('the file of %s is named when it is missing', (name) => {
  expect(() => readServers(`postgres://db.example.test/app?${name}=/missing/ca.pem`)).toThrow(
    `the file of ${name} does not exist (ENOENT)`,
  )
})

describe('a server', () => {
  const primary = { standby: false, readOnly: false }
  const closed = { standby: false, readOnly: true }
  const standby = { standby: true, readOnly: true }

  it.each([
    ['any', [true, true, true]],
    ['primary', [true, true, false]],
    ['read-write', [true, false, false]],
  ] as const)('is accepted according to target_session_attrs: %s', (attributes, wanted) => {
    expect([primary, closed, standby].map((state) => isWanted(attributes, state))).toStrictEqual(wanted)
  })
})
