import type { HostClient, Part, StorageStatistics } from '@countersign/core'
import {
  type ActionTypeWithText,
  type AllStores,
  allParts,
  type MigratedStorage,
  type ProductSchemaWithText,
  type ProjectStores,
} from '@countersign/core/storage'
import { actionPoliciesStore } from './approvals/action-policies-store.ts'
import { approvalRequestsStore } from './approvals/approval-requests-store.ts'
import { approvalsStore } from './approvals/approvals-store.ts'
import { confirmationsStore } from './approvals/confirmations/confirmations-store.ts'
import { liveChanges } from './approvals/live-changes.ts'
import { pushWindowsStore } from './approvals/push-windows-store.ts'
import { receiptKeysStore } from './approvals/receipt-keys-store.ts'
import { approvalSweep } from './approvals/sweep-approvals.ts'
import { vouchingsStore } from './approvals/vouchings-store.ts'
import { challengesStore } from './identity/challenges-store.ts'
import { devicesStore } from './identity/devices/devices-store.ts'
import { loginFailuresStore } from './identity/login-failures-store.ts'
import { oneTimeCodesStore } from './identity/one-time-codes-store.ts'
import { passkeysStore } from './identity/passkeys-store.ts'
import { createKnownRows, type KnownRows } from './identity/rate-limits/rate-limit-rows.ts'
import { rateLimitsStore } from './identity/rate-limits/rate-limits-store.ts'
import { secretsStore } from './identity/secrets-store.ts'
import { serversStore } from './identity/servers-store.ts'
import { serviceTokensStore } from './identity/service-tokens/service-tokens-store.ts'
import { readSessionStatus, type SessionStatusReader } from './identity/session-status/read-session-status.ts'
import { cacheSessionStatus, ownChanges } from './identity/session-status/session-cache.ts'
import { sessionsStore } from './identity/sessions/sessions-store.ts'
import { identitySweep } from './identity/sweep-identity.ts'
import { trustStore } from './identity/trust/trust-store.ts'
import { delegationsStore } from './identity/users/delegations-store.ts'
import { usersStore } from './identity/users/users-store.ts'
import { migrations } from './migrations/index.ts'
import { customersStore } from './projects/customers-store.ts'
import { expensesStore } from './projects/expenses-store.ts'
import { createListCache, type ListCache } from './projects/projects/list/cache.ts'
import { type NextNumber, queueForNumbers } from './projects/projects/project-numbers.ts'
import { projectsStore } from './projects/projects/projects-store.ts'
import { resourcesStore } from './projects/resources-store.ts'
import { projectSweep } from './projects/sweep-projects.ts'
import { countRecoverable, recover } from './recover.ts'
import type { ChangeFeed } from './shared/change-feed.ts'
import { openSnapshot } from './shared/data-moves/open-snapshot.ts'
import { takeOver } from './shared/data-moves/take-over.ts'
import type { Database } from './shared/database.ts'
import type { DialectFeatures } from './shared/dialect-features.ts'
import type { Engine } from './shared/engine.ts'
import { readInstallation } from './shared/installation.ts'
import { applyMigrations, readMigrationStatus } from './shared/migrate.ts'
import { hostTransaction, openDatabase } from './shared/open-database.ts'
import { schemaRegistryStore } from './shared/schema-registry-store.ts'
import { sealedTexts } from './shared/sealed-texts.ts'
import { countSweepable, type SweepStep, sweep } from './shared/sweep.ts'
import { tablesOf } from './tables/index.ts'

const sweeps: Readonly<Record<Part, readonly SweepStep[]>> = {
  identity: identitySweep,
  approvals: approvalSweep,
  projects: projectSweep,
}

export interface StorageParts {
  readonly engine: Engine
  readonly features: DialectFeatures
  /** The parts whose tables the storage has; see `storedParts`. */
  readonly parts: readonly Part[]
  /**
   * The same database for the stores of projects, with a share of the connections, so that projects leave connections to the
   * other parts. Defaults to `engine`.
   */
  readonly projectsEngine?: Engine
  /** Reports changes, so that the status of sessions can be cached. Without a feed every call asks the database. */
  readonly feed?: ChangeFeed
  readonly connectionStatistics?: () => Omit<StorageStatistics, 'sessionCache'>
}

interface StoreContext {
  readonly part: Database
  readonly status: SessionStatusReader
  readonly knownRows?: KnownRows
  readonly projects: () => ProjectStores
}

const noFeed: ChangeFeed = { poll: () => 'unsure' }

/** Creates the storage of an open database. The tables exist once `migrate` has run. */
export const createStorage = ({
  engine,
  projectsEngine = engine,
  features,
  parts,
  feed = noFeed,
  connectionStatistics,
}: StorageParts): MigratedStorage => {
  const { onHostClient } = engine
  const changes = ownChanges()
  const database = openDatabase(engine, features, (made) => {
    changes.note(made)
    feed.announce?.()
  })
  const all = { place: features.place, migrations: migrations(features.migrations), parts }
  const migrationsOf = (named: readonly Part[]) => named.flatMap((part) => Object.keys(all.migrations[part]))
  const steps = parts.flatMap((part) => sweeps[part])
  const lists = createListCache()
  const projectsDatabase = database.on(projectsEngine)
  const { takeNumbers } = features
  const nextNumber = takeNumbers && queueForNumbers((year, count) => takeNumbers(projectsDatabase, year, count))

  const projectStores = (part: Database, listCache: () => ListCache, nextNumber?: NextNumber): ProjectStores => ({
    customers: customersStore(part),
    projects: projectsStore(part, features, listCache, nextNumber),
    productSchemas: schemaRegistryStore<ProductSchemaWithText>(part, {
      entries: 'product_schemas',
      registry: 'product_schema_registry',
      texts: 'schemaText',
    }),
    resources: resourcesStore(part),
    expenses: expensesStore(part),
  })

  const makers: { readonly [N in keyof AllStores]: (part: Database, context: StoreContext) => AllStores[N] } = {
    users: usersStore,
    delegations: delegationsStore,
    sessions: (part, { status }) => sessionsStore(part, status),
    loginFailures: loginFailuresStore,
    devices: devicesStore,
    passkeys: passkeysStore,
    trust: trustStore,
    secrets: secretsStore,
    servers: serversStore,
    challenges: challengesStore,
    oneTimeCodes: oneTimeCodesStore,
    approvals: approvalsStore,
    confirmations: confirmationsStore,
    vouchings: vouchingsStore,
    pushWindows: pushWindowsStore,
    receiptKeys: receiptKeysStore,
    actionTypes: (part) =>
      schemaRegistryStore<ActionTypeWithText>(part, {
        entries: 'action_types',
        registry: 'action_type_registry',
        texts: 'schemaText displayText',
      }),
    approvalRequests: approvalRequestsStore,
    actionPolicies: actionPoliciesStore,
    serviceTokens: (part, { status }) => serviceTokensStore(part, status),
    rateLimits: (part, { knownRows }) => rateLimitsStore(part, knownRows),
    projects: parts.includes('projects')
      ? (_, { projects }) => projects()
      : // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `StorageOf` then has no stores of projects.
        () => undefined as unknown as ProjectStores,
  }

  /** Returns stores that are made at their first use: a transaction uses two or three of them. */
  const storesOf = (context: StoreContext): AllStores => {
    const made = new Map<string | symbol, unknown>()
    return new Proxy(makers, {
      get: (all, name) => {
        if (!made.has(name)) made.set(name, all[name as keyof AllStores]?.(context.part, context))
        return made.get(name)
      },
    }) as unknown as AllStores
  }

  const storesOfTransaction = (tx: Database): AllStores =>
    storesOf({ part: tx, status: readSessionStatus(tx), projects: () => projectStores(tx, createListCache) })

  const live = liveChanges(feed, () => status.catchUp())
  const status = cacheSessionStatus(readSessionStatus(database), {
    poll: () => {
      // The cache must not answer when the database itself would refuse.
      database.ensureUsable()
      return changes.joined(live.poll())
    },
  })

  const migrate: MigratedStorage['migrate'] = async ({ onWait } = {}) => {
    // Without pending migrations nothing is touched: a newer version of the program may have migrated the database further.
    const { pending } = await database.read((db) => readMigrationStatus(db, all))
    if (pending.length === 0) return []
    await database.read((db) => features.requireRights?.(db, pending) ?? Promise.resolve())
    return engine.migration((runStep) => applyMigrations(runStep, all), onWait)
  }

  return {
    ...storesOf({
      part: database,
      status,
      knownRows: createKnownRows(),
      projects: () => projectStores(projectsDatabase, () => lists, nextNumber),
    }),
    transaction: (work) => database.transaction((tx) => work(storesOfTransaction(tx))),
    ...(onHostClient && {
      within: (client: HostClient) => {
        const stores = storesOfTransaction(hostTransaction(onHostClient(client), features))
        return { ...stores, transaction: (work) => work(stores) }
      },
    }),
    watchChanges: live.watch,
    parts,
    installation: () => database.read((db) => readInstallation(db, features.place)),
    migrate,
    migrationStatus: () => database.read((db) => readMigrationStatus(db, all)),
    snapshot: (work) => engine.snapshot(async (db) => work(await openSnapshot(db, features)), { mayTakeLong: true }),
    sealedTexts: sealedTexts(database),
    takeOver: (source, options) =>
      takeOver(
        {
          engine,
          features,
          migrations: migrationsOf(parts),
          otherMigrations: migrationsOf(allParts.filter((part) => !parts.includes(part))),
          tables: tablesOf(parts),
          migrate,
        },
        source,
        options,
      ),
    statistics: () => ({ ...connectionStatistics?.(), sessionCache: status.statistics() }),
    ping: () => database.ping(),
    probeWrites: () => database.probeWrites(),
    ...(database.time && { time: database.time }),
    sweep: (now, limits = {}, onSwept = () => {}) => sweep(database, steps, { now, limits }, onSwept),
    sweepable: (now, limits = {}) => countSweepable(database, steps, { now, limits }),
    recover: (times) => recover(database, times),
    recoverable: (times) => countRecoverable(database, times),
    close: () => database.close(),
  }
}
