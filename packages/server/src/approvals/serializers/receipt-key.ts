import type { Output } from '@countersign/contract'
import type { PublishedReceiptKey } from '@countersign/core'

/** Writes the receipt keys as a JWK set (RFC 7517 §5). */
export const serializeReceiptKeys = (keys: readonly PublishedReceiptKey[]): Output<'receipts.keys'> => ({
  keys: keys.map(({ kid, alg, jwk, activeFrom, retiredAt, revokedAt, revokedReason }) => ({
    ...jwk,
    kid,
    alg,
    use: 'sig',
    iat: Math.floor(activeFrom / 1000),
    ...(retiredAt === null ? {} : { exp: Math.floor(retiredAt / 1000) }),
    ...(revokedAt === null ? {} : { revoked: { revoked_at: Math.floor(revokedAt / 1000), reason: revokedReason ?? '' } }),
  })),
})
