import { signal } from '@preact/signals'
import { refuseData } from '../../shared/stored-data.ts'
import type { DeviceKey } from './device-key.ts'

const DATABASE = 'countersign-playground'
const STORE = 'device-keys'
/** The name of the key: a browser is one device. */
const KEY = 'this-browser'

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(new Error('The browser’s database failed.', { cause: request.error }))
  })

const use = async <T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> => {
  const opening = indexedDB.open(DATABASE, 1)
  opening.onupgradeneeded = () => void opening.result.createObjectStore(STORE)
  const database = await settled(opening)
  try {
    return await settled(work(database.transaction(STORE, mode).objectStore(STORE)))
  } finally {
    database.close()
  }
}

/** Uses the store of keys. @throws DataRefused */
const inStore: typeof use = async (mode, work) => {
  try {
    return await use(mode, work)
  } catch (error) {
    throw refuseData(error)
  }
}

/** The key of this browser; `undefined` if the browser has no key. */
export const deviceKey = signal<DeviceKey>()

export const loadKey = async (): Promise<void> => {
  deviceKey.value = await inStore('readonly', (store) => store.get(KEY) as IDBRequest<DeviceKey | undefined>)
}

export const keepKey = async (key: DeviceKey): Promise<void> => {
  await inStore('readwrite', (store) => store.put(key, KEY))
  deviceKey.value = key
}

/** Deletes the key from this browser. The service still lists the device. */
export const forgetKey = async (): Promise<void> => {
  await inStore('readwrite', (store) => store.delete(KEY))
  deviceKey.value = undefined
}
