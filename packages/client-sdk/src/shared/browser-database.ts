import { CountersignError, hasCode } from './errors/countersign-error.ts'
import { requireOpen, within } from './time/deadline.ts'
import type { Milliseconds } from './time/units.ts'

/** The longest time for a change, which a page that is deleting the database, or that sleeps, may block for ever. */
const PATIENCE: Milliseconds = 5000

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- The error of a failed request is never null.
    request.onerror = () => reject(request.error)
  })

/** An object store of IndexedDB. Each store has its own database, so a new store changes the version of no other one. */
export interface Table {
  readonly database: string
  readonly name: string
}

type Next<T> = (current: T | undefined) => T | undefined

const changeEntry = async <T>({ database: file, name: table }: Table, key: string, next: Next<T>, signal: AbortSignal) => {
  const opening = indexedDB.open(file, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(table)
  const database = await done(opening)
  try {
    requireOpen(signal)
    const transaction = database.transaction(table, 'readwrite')
    const committed = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- The error of a failed transaction is never null.
      transaction.onabort = () => reject(transaction.error)
    })
    // A failed request rejects first.
    committed.catch(() => undefined)
    // After the time limit, nothing must be written.
    signal.addEventListener('abort', () => transaction.abort())
    const entries = transaction.objectStore(table)
    const current = (await done(entries.get(key))) as T | undefined
    const value = next(current)
    if (value !== current) value === undefined ? entries.delete(key) : entries.put(value, key)
    await committed
    return value
  } finally {
    database.close()
  }
}

/**
 * Changes an entry of IndexedDB in one transaction, one tab after another, and resolves with the new entry. `undefined`: no entry.
 * @throws CountersignError `UNSUPPORTED` without a usable database; `TIMEOUT` if the browser does not answer
 */
export const changeBrowserEntry = async <T>(table: Table, key: string, next: Next<T>): Promise<T | undefined> => {
  try {
    return await within(PATIENCE, undefined, (signal) => changeEntry(table, key, next, signal))
  } catch (cause) {
    if (hasCode(cause, 'TIMEOUT')) throw cause
    throw new CountersignError('The browser does not store data for this page', { code: 'UNSUPPORTED', cause })
  }
}
