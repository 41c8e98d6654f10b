import type { Output } from '@countersign/contract'
import type { CountersignApprovals, PublishedReceiptKey } from '@countersign/core'
import type { OperationHandlers } from '../../http/operation-handler.ts'

export const receiptHandlers = ({ receipts }: Pick<CountersignApprovals, 'receipts'>) =>
  ({
    'confirmations.receipt': async ({ input, caller }) => ({ receipt: await receipts.ofUser({ ...input, caller }) }),
    'receipts.keys': async () => serializeReceiptKeys(await receipts.keys()),
  }) satisfies Partial<OperationHandlers>

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
