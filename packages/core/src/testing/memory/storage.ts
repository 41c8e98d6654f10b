import { AsyncLocalStorage } from 'node:async_hooks'
import pLimit from 'p-limit'
import { Unavailable } from '../../shared/errors.ts'
import { sweptKinds } from '../../shared/retention.ts'
import type { AllStores, FullStorage } from '../../storage.ts'
import { memoryActionPolicies } from './approvals/action-policies.ts'
import { memoryApprovalRequests } from './approvals/approval-requests.ts'
import { memoryConfirmations } from './approvals/confirmations.ts'
import { memoryPushWindows } from './approvals/push-windows.ts'
import { memoryReceiptKeys } from './approvals/receipt-keys.ts'
import { memoryVouchings } from './approvals/vouchings.ts'
import { memoryChallenges } from './identity/challenges.ts'
import { memoryDeviceRegistrations } from './identity/device-registrations.ts'
import { memoryDevices } from './identity/devices.ts'
import { memoryLoginFailures } from './identity/login-failures.ts'
import { memoryOneTimeCodes } from './identity/one-time-codes.ts'
import { memoryPasskeys } from './identity/passkeys.ts'
import { memoryRateLimits } from './identity/rate-limits.ts'
import { memorySecrets } from './identity/secrets.ts'
import { memoryServers } from './identity/servers.ts'
import { memoryServiceTokens } from './identity/service-tokens.ts'
import { memorySessions } from './identity/sessions.ts'
import { memoryTrust } from './identity/trust.ts'
import { memoryUsers } from './identity/users.ts'
import { memoryCustomers } from './projects/customers.ts'
import { memoryExpenses } from './projects/expenses.ts'
import { memoryProjects } from './projects/projects.ts'
import { memoryResources } from './projects/resources.ts'
import { recoverTables } from './recover.ts'
import { memorySchemaRegistry } from './schema-registry.ts'
import { sweepTables } from './sweep.ts'
import { copyTables, emptyTables, type Run } from './tables.ts'

interface OpenTransaction {
  isOpen: boolean
}

const storesOver = (run: Run): AllStores => ({
  users: memoryUsers(run),
  sessions: memorySessions(run),
  loginFailures: memoryLoginFailures(run),
  devices: memoryDevices(run),
  deviceRegistrations: memoryDeviceRegistrations(run),
  passkeys: memoryPasskeys(run),
  trust: memoryTrust(run),
  secrets: memorySecrets(run),
  servers: memoryServers(run),
  challenges: memoryChallenges(run),
  oneTimeCodes: memoryOneTimeCodes(run),
  confirmations: memoryConfirmations(run),
  vouchings: memoryVouchings(run),
  pushWindows: memoryPushWindows(run),
  receiptKeys: memoryReceiptKeys(run),
  actionTypes: memorySchemaRegistry(run, { entries: ({ actionTypes }) => actionTypes, version: 'actionTypesVersion' }),
  approvalRequests: memoryApprovalRequests(run),
  actionPolicies: memoryActionPolicies(run),
  serviceTokens: memoryServiceTokens(run),
  rateLimits: memoryRateLimits(run),
  projects: {
    customers: memoryCustomers(run),
    projects: memoryProjects(run),
    productSchemas: memorySchemaRegistry(run, {
      entries: ({ productSchemas }) => productSchemas,
      version: 'registryVersion',
    }),
    resources: memoryResources(run),
    expenses: memoryExpenses(run),
  },
})

/**
 * Makes a database in memory for tests. It keeps every promise of `Storage` except durability. All calls wait in one queue, and a
 * transaction occupies the queue until it ends. All values are copied, in both directions.
 *
 * The storage itself must not be used inside one of its transactions: the call would wait for ever, so it throws.
 */
export const createMemoryStorage = (): FullStorage => {
  let tables = emptyTables()
  let isClosed = false
  const oneAtATime = pLimit(1)
  const surrounding = new AsyncLocalStorage<OpenTransaction>()

  const inTurn = async <T>(work: () => T | Promise<T>): Promise<T> => {
    if (surrounding.getStore()?.isOpen) throw new Error('inside a transaction only its `tx` may be used')
    return oneAtATime(() => {
      if (isClosed) throw new Unavailable('The database is closed', { reason: 'database_closed' })
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
    within: () => {
      throw new TypeError('A database in memory takes no client of the host')
    },
    ping: () => inTurn(() => {}),
    probeWrites: () => inTurn(() => {}),
    sweep: async (now, limits = {}, onSwept = () => {}) => {
      const rows = await run((all) => sweepTables(all, now, limits))
      for (const kind of sweptKinds) if (rows[kind] !== undefined) onSwept(kind, rows[kind])
      return rows
    },
    sweepable: (now, limits = {}) => run((all) => sweepTables(copyTables(all), now, limits)),
    recover: (times) => run((all) => recoverTables(all, times)),
    recoverable: (times) => run((all) => recoverTables(copyTables(all), times)),
    close: async () => {
      isClosed = true
    },
  }
}
