import * as z from 'zod'

/** Seconds since 1970, as in a JWT (RFC 7519 §2, NumericDate). */
const numericDate = z.int()

/** A public receipt key as a JWK (RFC 7517), which signs from `iat` to `exp`. Revocations follow OpenID Federation §8.7. */
const receiptKey = z
  .object({
    kty: z.enum(['OKP', 'EC']),
    crv: z.enum(['Ed25519', 'P-256']),
    x: z.string(),
    y: z.string().optional(),
    kid: z.string(),
    alg: z.enum(['Ed25519', 'ES256']),
    use: z.literal('sig'),
    iat: numericDate,
    exp: numericDate.optional(),
    revoked: z.object({ revoked_at: numericDate, reason: z.string() }).optional(),
  })
  .meta({ id: 'ReceiptKey' })

export const receiptShapes = {
  'receipts.keys': { input: z.object({}), output: z.object({ keys: z.array(receiptKey) }) },
} as const
