import type { ReceiptKeyStore } from '../../../approvals/receipts/store.ts'
import { type Run, replaceWhere } from '../tables.ts'

export const memoryReceiptKeys = (run: Run): ReceiptKeyStore => ({
  publish: (key) =>
    run(({ receiptKeys }) => {
      if (!receiptKeys.has(key.kid)) receiptKeys.set(key.kid, structuredClone(key))
    }),
  all: () =>
    run(({ receiptKeys }) => [...receiptKeys.values()].sort((a, b) => a.activeFrom - b.activeFrom || (a.kid < b.kid ? -1 : 1))),
  retire: (kid, at) =>
    run(({ receiptKeys }) => {
      const isInUse = ({ retiredAt, revokedAt }: { retiredAt: number | null; revokedAt: number | null }) =>
        retiredAt === null && revokedAt === null
      return replaceWhere(receiptKeys, kid, isInUse, (key) => ({ ...key, retiredAt: at })) !== undefined
    }),
  revoke: (kid, at, reason) =>
    run(({ receiptKeys }) => {
      const revoked = replaceWhere(
        receiptKeys,
        kid,
        (key) => key.revokedAt === null,
        (key) => ({ ...key, revokedAt: at, revokedReason: reason }),
      )
      return revoked !== undefined
    }),
})
