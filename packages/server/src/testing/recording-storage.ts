import type { AllStores, FullStorage } from '@countersign/core/storage'

export interface RecordingStorage {
  readonly storage: FullStorage
  /** Returns the calls since the last call of this function, in order: `users.byEmail`, `transaction`. */
  takeCalls(): readonly string[]
}

/** Returns the stores by name. The other members of a storage are functions. */
const storesOf = (stores: object): readonly (readonly [string, object])[] =>
  Object.entries(stores).filter(([, member]) => typeof member === 'object')

/** A storage that records the names of called methods, including those inside transactions. */
export const recordingStorage = (storage: FullStorage): RecordingStorage => {
  let calls: string[] = []
  const recorded = <T extends object>(store: T, name: string): T =>
    new Proxy(store, {
      get: (target, member) => {
        const method: unknown = Reflect.get(target, member)
        if (typeof method !== 'function') return method
        return (...given: unknown[]) => {
          calls.push(`${name}.${String(member)}`)
          return Reflect.apply(method, target, given)
        }
      },
    })
  const recordedAll = (stores: object): object =>
    Object.fromEntries(storesOf(stores).map(([name, store]) => [name, recorded(store, name)]))
  const recordedStores = ({ projects, ...stores }: AllStores): AllStores =>
    ({ ...recordedAll(stores), projects: recordedAll(projects) }) as AllStores

  return {
    storage: {
      ...recordedStores(storage),
      transaction: (work) => {
        calls.push('transaction')
        return storage.transaction((tx) => work(recordedStores(tx)))
      },
      ...(storage.within && { within: storage.within }),
      watchChanges: storage.watchChanges,
      ping: () => storage.ping(),
      probeWrites: () => storage.probeWrites(),
      sweep: (now, limits) => storage.sweep(now, limits),
      sweepable: (now, limits) => storage.sweepable(now, limits),
      recover: (times) => storage.recover(times),
      recoverable: (times) => storage.recoverable(times),
      close: () => storage.close(),
    },
    takeCalls: () => {
      const taken = calls
      calls = []
      return taken
    },
  }
}
