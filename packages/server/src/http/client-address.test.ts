import { describe, expect, it } from 'vitest'
import { canonicalAddress, clientAddress } from './client-address.ts'

const of = (forwardedFor: string | undefined, socket: string | undefined, trustProxy: number) =>
  clientAddress(new Headers(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }), socket, trustProxy)

describe('an IP address', () => {
  it('is normalised to the same spelling from twelve spellings', () => {
    const spellings = [
      '2001:db8:0:1::1',
      '2001:DB8:0:1::1',
      '2001:0db8:0000:0001:0000:0000:0000:0001',
      '2001:db8:0:1:0:0:0:1',
      '2001:db8:0:1::0:1',
      '2001:db8:0:1:0::1',
      '2001:db8::1:0:0:0:1',
      '2001:db8::1:0:0:0.0.0.1',
      '2001:db8:0:1::0.0.0.1',
      '2001:db8:0:1::1%eth0',
      '2001:db8:0:1:ffff:ffff:ffff:ffff',
      '2001:0DB8::0001:0:0:0:1',
    ]
    expect(new Set(spellings.map(canonicalAddress))).toEqual(new Set(['2001:db8:0:1::/64']))
  })

  it('is treated as IPv4 when it is embedded in IPv6', () => {
    for (const spelling of ['203.0.113.9', '::ffff:203.0.113.9', '::FFFF:cb00:7109', '0:0:0:0:0:ffff:203.0.113.9']) {
      expect(canonicalAddress(spelling)).toBe('203.0.113.9')
    }
  })

  it.each([
    '',
    'localhost',
    '256.1.1.1',
    '1.2.3',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '2130706433',
    '1.2.3.4.5',
    '::1::',
    '1.2.3.4 ',
    'x'.repeat(9999),
  ])('cannot be %j', (text) => expect(canonicalAddress(text)).toBeUndefined())
})

describe('the client address', () => {
  it('is the peer address when no proxy is trusted, whatever the headers contain', () => {
    expect(of('198.51.100.1', '203.0.113.9', 0)).toBe('203.0.113.9')
  })

  it('is the address seen by the outermost trusted proxy, never an earlier entry from the client', () => {
    expect(of('198.51.100.1', '10.0.0.1', 1)).toBe('198.51.100.1')
    expect(of('6.6.6.6, 198.51.100.1', '10.0.0.1', 1)).toBe('198.51.100.1')
    expect(of('6.6.6.6, 198.51.100.1, 10.0.0.2', '10.0.0.1', 2)).toBe('198.51.100.1')
    expect(of('6.6.6.6,5.5.5.5 ,  2001:DB8::7 ', '10.0.0.1', 1)).toBe('2001:db8:0:0::/64')
  })

  it('can be given with a port', () => {
    expect(of('198.51.100.1:4711', '10.0.0.1', 1)).toBe('198.51.100.1')
    expect(of('[2001:db8::7]:4711', '10.0.0.1', 1)).toBe('2001:db8:0:0::/64')
    expect(of('[2001:db8::7]', '10.0.0.1', 1)).toBe('2001:db8:0:0::/64')
  })

  it.each(['', ',', 'unknown', '_hidden', '999.1.1.1', '198.51.100.1, ', 'for=198.51.100.1', '198.51.100.1:99999999'])(
    'is the peer address when the proxy sent %j',
    (forwardedFor) => expect(of(forwardedFor, '10.0.0.1', 1)).toBe('10.0.0.1'),
  )

  it('is the peer address when there are fewer entries than proxies', () => {
    expect(of('198.51.100.1', '10.0.0.1', 2)).toBe('10.0.0.1')
    expect(of(undefined, '10.0.0.1', 1)).toBe('10.0.0.1')
  })

  it('is the same "unknown" for every client when the platform provides no address', () => {
    expect(of(undefined, undefined, 0)).toBe('unknown')
    expect(of('nonsense', 'nonsense', 1)).toBe('unknown')
  })

  it('gives no client a second rate limit by other headers', () => {
    const keys = Array.from({ length: 1000 }, (_, at) => of(`10.${at % 250}.0.1`, '203.0.113.9', 0))
    expect(new Set(keys)).toEqual(new Set(['203.0.113.9']))
    const network = Array.from({ length: 1000 }, (_, at) => of(undefined, `2001:db8::${at.toString(16)}:1`, 0))
    expect(new Set(network).size).toBe(1)
  })
})
