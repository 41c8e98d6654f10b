import {
  ceilingFullFrom,
  type LoginFailureStore,
  waitAfterFailures,
  waitForCeiling,
} from '../../../identity/login/login-failures.ts'
import { type LoginFailuresRow, type Run, replaceWhere } from '../tables.ts'

const none: LoginFailuresRow = { count: 0, lastAt: 0, knownUntil: 0 }

export const memoryLoginFailures = (run: Run): LoginFailureStore => ({
  of: ({ account, client }) =>
    run(({ loginFailures, loginCeilings }) => ({
      ...(loginFailures.get(client) ?? none),
      ceilingFullAt: loginCeilings.get(account) ?? 0,
    })),
  reserve: (client, waits, now) =>
    run(({ loginFailures }) => {
      const before = loginFailures.get(client) ?? none
      if (waitAfterFailures(before, waits, now) > 0) return false
      loginFailures.set(client, { ...before, count: before.count + 1, lastAt: now })
      return true
    }),
  giveBack: (client, waits, reservedAt) =>
    run(({ loginFailures }) => {
      replaceWhere(
        loginFailures,
        client,
        ({ count }) => count > 0,
        ({ count, lastAt, knownUntil }) => ({
          count: count - 1,
          lastAt: lastAt === reservedAt ? reservedAt - waits.longest : lastAt,
          knownUntil,
        }),
      )
    }),
  succeed: (client, now, knownUntil) =>
    run(({ loginFailures }) => {
      loginFailures.set(client, { count: 0, lastAt: now, knownUntil })
    }),
  remember: (client, now, knownUntil) =>
    run(({ loginFailures }) => {
      loginFailures.set(client, { ...(loginFailures.get(client) ?? { ...none, lastAt: now }), knownUntil })
    }),
  takeFromCeiling: (account, ceiling, now) =>
    run(({ loginCeilings }) => {
      const fullAt = loginCeilings.get(account) ?? 0
      if (waitForCeiling(fullAt, ceiling, now) > 0) return false
      loginCeilings.set(account, ceilingFullFrom(fullAt, ceiling, now) + ceiling.refillMs)
      return true
    }),
  giveBackToCeiling: (account, { refillMs }) =>
    run(({ loginCeilings }) => {
      const fullAt = loginCeilings.get(account)
      if (fullAt !== undefined) loginCeilings.set(account, fullAt - refillMs)
    }),
})
