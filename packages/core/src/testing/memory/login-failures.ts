import { type LoginFailureStore, waitAfterFailures } from '../../auth/login-failures.ts'
import { type Run, replaceWhere } from './tables.ts'

export const memoryLoginFailures = (run: Run): LoginFailureStore => ({
  of: (account) =>
    run(({ loginFailures }) => {
      const failures = loginFailures.get(account)
      return failures?.count === 0 ? undefined : failures
    }),
  reserve: (account, waits, now) =>
    run(({ loginFailures }) => {
      const before = loginFailures.get(account)
      if (waitAfterFailures(before, waits, now) > 0) return false
      loginFailures.set(account, { count: (before?.count ?? 0) + 1, lastAt: now })
      return true
    }),
  giveBack: (account, waits, reservedAt) =>
    run(({ loginFailures }) => {
      replaceWhere(
        loginFailures,
        account,
        ({ count }) => count > 0,
        ({ count, lastAt }) => ({ count: count - 1, lastAt: lastAt === reservedAt ? reservedAt - waits.longest : lastAt }),
      )
    }),
  clear: (account) =>
    run(({ loginFailures }) => {
      loginFailures.delete(account)
    }),
})
