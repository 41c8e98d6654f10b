import type { OneTimeCode } from '../../../identity/one-time-codes/one-time-code.ts'
import type { OneTimeCodeStore } from '../../../identity/one-time-codes/store.ts'
import { byCodePoints, deleteWhere, type Run } from '../tables.ts'

const keyOf = ({ userId, kind }: Pick<OneTimeCode, 'userId' | 'kind'>): string => `${userId} ${kind}`

export const memoryOneTimeCodes = (run: Run): OneTimeCodeStore => ({
  issue: (code) => run(({ oneTimeCodes }) => void oneTimeCodes.set(keyOf(code), code)),
  byHash: (hash, now) =>
    run(({ oneTimeCodes }) => [...oneTimeCodes.values()].find((code) => code.hash === hash && now < code.expiresAt)),
  spend: (use) =>
    run(({ oneTimeCodes }) => {
      const code = oneTimeCodes.get(keyOf(use))
      if (code?.hash !== use.hash || use.now >= code.expiresAt) return false
      return oneTimeCodes.delete(keyOf(use))
    }),
  allOfUser: (userId) =>
    run(({ oneTimeCodes }) =>
      [...oneTimeCodes.values()]
        .filter((code) => code.userId === userId)
        .sort((a, b) => a.createdAt - b.createdAt || byCodePoints(a.kind, b.kind)),
    ),
  voidAllOfUser: (userId) => run(({ oneTimeCodes }) => deleteWhere(oneTimeCodes, (code) => code.userId === userId)),
})
