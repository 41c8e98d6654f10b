import type { LoginFailureStore } from '../../auth/login-failures.ts'
import type { Run } from './tables.ts'

export const memoryLoginFailures = (run: Run): LoginFailureStore => ({
  of: (account) => run(({ loginFailures }) => loginFailures.get(account)),
  add: (account, now) =>
    run(({ loginFailures }) => {
      loginFailures.set(account, { count: (loginFailures.get(account)?.count ?? 0) + 1, lastAt: now })
    }),
  clear: (account) =>
    run(({ loginFailures }) => {
      loginFailures.delete(account)
    }),
})
