import { calculateJwkThumbprint } from 'jose'
import { expect, it } from 'vitest'
import { jwkThumbprint } from './jwk-thumbprint.ts'

const { subtle } = globalThis.crypto

it('the thumbprint of the RSA key in RFC 7638 §3.1 is the one in the RFC', async () => {
  const n =
    '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw'
  const jwk = { kty: 'RSA', n, e: 'AQAB', alg: 'RS256', kid: '2011-04-29' }
  expect(await jwkThumbprint(subtle, jwk)).toBe('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs')
})

it('the thumbprint of the Ed25519 key in RFC 8037, appendix A.3, is the one in the RFC', async () => {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }
  expect(await jwkThumbprint(subtle, jwk)).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
})

it('the thumbprint of a P-256 key equals the thumbprint of jose, whatever the order of its members and its further members', async () => {
  const [x, y] = ['f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU', 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0']
  const jwk = { y, x, use: 'sig', kty: 'EC', crv: 'P-256' }
  expect(await jwkThumbprint(subtle, jwk)).toBe(await calculateJwkThumbprint({ kty: 'EC', crv: 'P-256', x, y }))
})

it('a thumbprint exists only for a known key type with every required member as text', async () => {
  for (const jwk of [{}, { kty: 'oct', k: 'x' }, { kty: 'EC', crv: 'P-256', x: 'x' }, { kty: 'OKP', crv: 'Ed25519', x: 1 }]) {
    expect(await jwkThumbprint(subtle, jwk)).toBeUndefined()
  }
})
