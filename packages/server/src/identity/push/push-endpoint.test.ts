import type { LookupAddress, lookup } from 'node:dns'
import { describe, expect, it } from 'vitest'
import { isAllowedEndpoint, isPublicAddress, publicLookup } from './push-endpoint.ts'

describe('an address', () => {
  it.each([
    '8.8.8.8',
    '142.250.1.1',
    '2a00:1450:4001:82a::200a',
    '2607:f8b0:4005:80a::200e',
    // NAT64 of 8.8.8.8, as an IPv6 network reaches it.
    '64:ff9b::808:808',
  ])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true))

  it.each([
    ['unspecified', '0.0.0.0'],
    ['unspecified', '0.1.2.3'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['private', '10.0.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['link-local', '169.254.169.254'],
    ['CGNAT', '100.64.0.1'],
    ['multicast', '224.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['protocol assignment', '192.0.0.1'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.1'],
    ['documentation', '203.0.113.1'],
    ['benchmarking', '198.18.0.1'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['unique local', 'fd00:ec2::254'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['Teredo', '2001::1'],
    ['IPv4-mapped', '::ffff:127.0.0.1'],
    ['IPv4-mapped', '::ffff:a9fe:a9fe'],
    ['IPv4-mapped public', '::ffff:8.8.8.8'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['NAT64 of private', '64:ff9b::a00:1'],
    ['NAT64 of link-local', '64:ff9b::a9fe:a9fe'],
    ['local NAT64', '64:ff9b:1::808:808'],
    ['6to4 of private', '2002:a00:1::1'],
    ['6to4 of loopback', '2002:7f00:1::'],
    ['no', 'push.example.com'],
  ])('that is %s (%s) is not public', (_, address) => expect(isPublicAddress(address)).toBe(false))
})

describe('an endpoint', () => {
  const production = { hosts: ['push.example.com', 'push.apple.com'], loopback: false }

  it.each(['https://push.example.com/a', 'https://web.push.apple.com/QGq', 'https://PUSH.example.com:443/a'])(
    '%s of a listed host is allowed',
    (endpoint) => expect(isAllowedEndpoint(endpoint, production)).toBe(true),
  )

  it.each([
    ['http', 'http://push.example.com/a'],
    ['another port', 'https://push.example.com:8443/a'],
    ['a password', 'https://a:b@push.example.com/a'],
    ['a user', 'https://push.example.com@evil.example/a'],
    ['another host', 'https://push.example.org/a'],
    ['a host with the name as its end', 'https://evilpush.example.com/a'],
    ['a host with the name as its start', 'https://push.example.com.evil.example/a'],
    ['a dot behind the host', 'https://push.example.com./a'],
    ['loopback', 'http://127.0.0.1:9000/a'],
    ['another scheme', 'file:///etc/passwd'],
  ])('with %s is refused', (_, endpoint) => expect(isAllowedEndpoint(endpoint, production)).toBe(false))

  it.each([
    ['https://anything.example/a', true],
    ['https://8.8.8.8/a', true],
    ['https://localhost/a', false],
    ['https://LOCALHOST./a', false],
    ['https://push.localhost/a', false],
    ['https://localhost.example/a', true],
    ['https://127.0.0.1/a', false],
    ['https://2130706433/a', false],
    ['https://0x7f.1/a', false],
    ['https://[::ffff:127.0.0.1]/a', false],
    ['https://[::1]/a', false],
    ['https://169.254.169.254/a', false],
    ['http://anything.example/a', false],
    ['https://anything.example:8443/a', false],
  ])('%s is allowed if the list of hosts is *: %s', (endpoint, allowed) =>
    expect(isAllowedEndpoint(endpoint, { hosts: ['*'], loopback: false })).toBe(allowed),
  )

  it('https://localhost/a is refused in production, even if the host is listed', () =>
    expect(isAllowedEndpoint('https://localhost/a', { hosts: ['localhost'], loopback: false })).toBe(false))

  it.each([
    ['http://localhost:9000/a', true],
    ['http://127.0.0.1:9000/a', true],
    ['http://[::1]:9000/a', true],
    ['https://localhost:9000/a', true],
    ['http://192.168.1.2:9000/a', false],
    ['http://localhost.evil.example/a', false],
  ])('%s outside production is allowed: %s', (endpoint, allowed) =>
    expect(isAllowedEndpoint(endpoint, { ...production, loopback: true })).toBe(allowed),
  )
})

describe('a host name', () => {
  const resolving = (addresses: readonly string[]) =>
    ((_name: string, _options: object, done: (error: null, found: LookupAddress[]) => void) =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )) as unknown as typeof lookup
  const resolve = (addresses: readonly string[], all: boolean) =>
    new Promise((settle) => {
      publicLookup(resolving(addresses))('push.example.com', { all }, (error, ...found) => settle(error ?? found))
    })

  it('is connected to at its checked addresses', async () => {
    expect(await resolve(['8.8.8.8'], false)).toEqual(['8.8.8.8', 4])
    expect(await resolve(['2a00:1450::1', '8.8.8.8'], true)).toEqual([
      [
        { address: '2a00:1450::1', family: 6 },
        { address: '8.8.8.8', family: 4 },
      ],
    ])
  })

  it.each([[['8.8.8.8', '10.0.0.1']], [['8.8.8.8', '::ffff:127.0.0.1']], [['127.0.0.1']], [[]]])(
    'with the addresses %j is refused',
    async (addresses) => {
      for (const all of [true, false]) expect(await resolve(addresses, all)).toMatchObject({ code: 'ADDRESS_REFUSED' })
    },
  )
})
