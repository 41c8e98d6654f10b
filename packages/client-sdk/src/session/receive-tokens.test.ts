import { describe, expect, it, vi } from 'vitest'
import { minutes, withFakeDate } from '../testing/clocks.ts'
import { receiveTokens } from './receive-tokens.ts'

withFakeDate()

const NOW = Date.UTC(2026, 0, 5, 9)

/** Makes a token pair whose access token has these times of the service's clock. */
const aPair = (issuedAt: number | undefined, expiresAt: number) => {
  const claims = Buffer.from(JSON.stringify({ iat: issuedAt === undefined ? undefined : issuedAt / 1000, name: 'Ädä' }))
  return {
    accessToken: issuedAt === undefined ? 'opaque' : `x.${claims.toString('base64url')}.y`,
    refreshToken: 'r',
    accessTokenExpiresAt: new Date(expiresAt).toISOString(),
    refreshTokenExpiresAt: new Date(expiresAt).toISOString(),
  }
}

describe('the renewal time of tokens', () => {
  it.each([
    ['a minute before the end', minutes(15), minutes(14)],
    ['after nine tenths of a short life', minutes(5), minutes(4.5)],
    ['immediately, if the token has expired', -minutes(1), 0],
  ])('is %s', (_, lifetime, after) => {
    vi.setSystemTime(NOW)
    expect(receiveTokens('standard', aPair(NOW, NOW + lifetime)).renewAt).toBe(NOW + after)
  })

  it('follows the clock of the service, whatever the clock of the machine says', () => {
    vi.setSystemTime(NOW + minutes(600))
    expect(receiveTokens('standard', aPair(NOW, NOW + minutes(15))).renewAt).toBe(NOW + minutes(614))
  })

  it('assumes equal clocks if a token has no issue time', () => {
    vi.setSystemTime(NOW)
    expect(receiveTokens('standard', aPair(undefined, NOW + minutes(15))).renewAt).toBe(NOW + minutes(14))
  })
})
