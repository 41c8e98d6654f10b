import { AsyncLocalStorage } from 'node:async_hooks'
import pLimit from 'p-limit'
import { Unavailable } from '../../errors.ts'
import type { Storage, Stores } from '../../ports/storage.ts'
import { memoryChallenges } from './challenges.ts'
import { memoryConfirmations } from './confirmations.ts'
import { memoryCustomers } from './customers.ts'
import { memoryDecoyProfiles } from './decoy-profiles.ts'
import { memoryDevices } from './devices.ts'
import { memoryExpenses } from './expenses.ts'
import { memoryLoginFailures } from './login-failures.ts'
import { memoryPasskeys } from './passkeys.ts'
import { memoryProductSchemas } from './product-schemas.ts'
import { memoryProjects } from './projects.ts'
import { memoryRateLimits } from './rate-limits.ts'
import { memoryResources } from './resources.ts'
import { memoryServiceTokens } from './service-tokens.ts'
import { memorySessions } from './sessions.ts'
import { sweepTables } from './sweep.ts'
import { copyTables, emptyTables, type Run } from './tables.ts'
import { memoryUsers } from './users.ts'

interface OpenTransaction {
  isOpen: boolean
}

const storesOver = (run: Run): Stores => ({
  users: memoryUsers(run),
  sessions: memorySessions(run),
  loginFailures: memoryLoginFailures(run),
  devices: memoryDevices(run),
  passkeys: memoryPasskeys(run),
  decoyProfiles: memoryDecoyProfiles(run),
  challenges: memoryChallenges(run),
  confirmations: memoryConfirmations(run),
  serviceTokens: memoryServiceTokens(run),
  rateLimits: memoryRateLimits(run),
  customers: memoryCustomers(run),
  projects: memoryProjects(run),
  productSchemas: memoryProductSchemas(run),
  resources: memoryResources(run),
  expenses: memoryExpenses(run),
})

/**
 * A whole database in this process's memory, for tests. It keeps every promise of `Storage` but durability: all calls
 * wait in one queue, a transaction for its whole length, and what is handed out or in is copied.
 *
 * Using the storage itself inside one of its transactions would wait for ever; here it throws and says so.
 */
export const createMemoryStorage = (): Storage => {
  let tables = emptyTables()
  let isClosed = false
  const oneAtATime = pLimit(1)
  const surrounding = new AsyncLocalStorage<OpenTransaction>()

  const inTurn = async <T>(work: () => T | Promise<T>): Promise<T> => {
    if (surrounding.getStore()?.isOpen) throw new Error('inside a transaction only its `tx` may be used')
    return oneAtATime(() => {
      if (isClosed) throw new Unavailable('The database is closed')
      return work()
    })
  }

  const run: Run = (step) => inTurn(() => structuredClone(step(tables)))

  const runWithin =
    (transaction: OpenTransaction): Run =>
    async (step) => {
      if (!transaction.isOpen) throw new Error('this transaction has ended')
      return structuredClone(step(tables))
    }

  return {
    ...storesOver(run),
    transaction: (work) =>
      inTurn(async () => {
        const before = copyTables(tables)
        const transaction = { isOpen: true }
        try {
          return await surrounding.run(transaction, () => work(storesOver(runWithin(transaction))))
        } catch (error) {
          tables = before
          throw error
        } finally {
          transaction.isOpen = false
        }
      }),
    ping: () => inTurn(() => {}),
    sweep: (now) => run((all) => sweepTables(all, now)),
    close: async () => {
      isClosed = true
    },
  }
}
