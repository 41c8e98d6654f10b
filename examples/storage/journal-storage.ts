import type { Instant } from '@countersign/core'
import type { AllStores, FullStorage, RecoveryTimes, SweepLimits } from '@countersign/core/storage'
import { createTestStorage } from '@countersign/storage-sqlite/testing'
import { type Journal, openJournal } from './journal.ts'
import { isRead } from './reads.ts'

interface Call {
  readonly store: string
  readonly method: string
  readonly args: readonly unknown[]
}

/** One atomic change: the writing calls of a transaction, a sweep, or the recovery after a restore. */
type Entry =
  | { readonly calls: readonly Call[] }
  | { readonly sweptAt: Instant; readonly limits: SweepLimits }
  | { readonly recovered: RecoveryTimes }

/** The stores as a journal sees them: methods by name. */
type AnyStores = Readonly<Record<string, Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>>>

/** Returns all stores by name, also the stores of projects. */
const asAny = ({ projects, ...stores }: AllStores): AnyStores => ({ ...stores, ...projects }) as unknown as AnyStores

type Replace = (store: string, method: string) => (...args: readonly unknown[]) => Promise<unknown>

const mapEach = (stores: AnyStores, replace: Replace) =>
  Object.fromEntries(
    Object.entries(stores)
      .filter(([, store]) => typeof store === 'object')
      .map(([name, store]) => [name, Object.fromEntries(Object.keys(store).map((method) => [method, replace(name, method)]))]),
  )

/** Returns the stores with each method replaced by the result of `replace`. */
const mapMethods = (stores: AllStores, replace: Replace): AllStores => {
  const { projects, ...others } = stores
  return {
    ...mapEach(others as unknown as AnyStores, replace),
    projects: mapEach(projects as unknown as AnyStores, replace),
  } as unknown as AllStores
}

const perform = (stores: AllStores, { store, method, args }: Call): Promise<unknown> | undefined =>
  asAny(stores)[store]?.[method]?.(...args)

/** Repeats the calls in the journal, in order. */
const replay = async (memory: FullStorage, journal: Journal<Entry>): Promise<void> => {
  for (const entry of journal.entries()) {
    if ('sweptAt' in entry) await memory.sweep(entry.sweptAt, entry.limits)
    else if ('recovered' in entry) await memory.recover(entry.recovered)
    else {
      await memory.transaction(async (tx) => {
        for (const call of entry.calls) await perform(tx, call)
      })
    }
  }
}

/**
 * Opens a storage that works in memory and writes each changing call to a journal before acknowledging it. The entries have the
 * order of the calls. All calls of a transaction form one entry. Opening the storage repeats all calls.
 *
 * @throws Unavailable if the file cannot be opened, or another process has opened it
 */
export const openJournalStorage = async (path: string): Promise<FullStorage> => {
  const memory = await createTestStorage()
  const journal = openJournal<Entry>(path)
  await replay(memory, journal)

  /** The last sweep or recovery. Each is several transactions, so other changes wait for its end. */
  let alone: Promise<unknown> = Promise.resolve()

  const runAlone = <T>(entry: Entry, work: () => Promise<T>): Promise<T> => {
    const result = memory.transaction(async () => journal.append(entry)).then(work)
    alone = Promise.allSettled([alone, result])
    return result
  }

  const transaction: FullStorage['transaction'] = async (work) => {
    await alone
    return memory.transaction(async (tx) => {
      const calls: Call[] = []
      const recorded = mapMethods(tx, (store, method) => async (...given) => {
        // A copy, because the caller may change the arguments before the transaction ends. A replay needs no checks.
        const args = structuredClone(given.filter((argument) => typeof argument !== 'function'))
        const result = await perform(tx, { store, method, args: given })
        if (!isRead(store, method)) calls.push({ store, method, args })
        return result
      })
      const result = await work(recorded)
      // The journal is written last. If writing fails, the transaction in memory is rolled back.
      if (calls.length > 0) journal.append({ calls })
      return result
    })
  }

  return {
    ...mapMethods(memory, (store, method) => (...args) => {
      const call = { store, method, args }
      if (isRead(store, method)) return Promise.resolve(perform(memory, call))
      return transaction((tx) => Promise.resolve(perform(tx, call)))
    }),
    transaction,
    watchChanges: memory.watchChanges,
    ping: async () => {
      await memory.ping()
      journal.check()
    },
    probeWrites: async () => {
      await memory.ping()
      journal.check()
    },
    sweep: (now, limits = {}, onSwept) => runAlone({ sweptAt: now, limits }, () => memory.sweep(now, limits, onSwept)),
    sweepable: (now, limits) => memory.sweepable(now, limits),
    recover: (times) => runAlone({ recovered: times }, () => memory.recover(times)),
    recoverable: (times) => memory.recoverable(times),
    close: async () => {
      const closed = memory.ping().catch(() => {})
      await memory.close()
      await closed
      journal.close()
    },
  }
}
