import { CountersignError } from '../../shared/errors/countersign-error.ts'
import type { DeviceSigner } from './device-signer.ts'
import { generateSigningKeyPair, type KeyPairSigner, keyPairSigner } from './key-pair-signer.ts'

/** Which key of the browser `webCryptoSigner` signs with. */
export interface WebCryptoSignerOptions {
  /** Tells several keys of one origin apart. */
  readonly name?: string
}

const DATABASE = 'countersign'
const KEYS = 'device-keys'

/** Browsers may give up without an error. */
const failureOf = ({ error }: IDBRequest | IDBTransaction): Error => error ?? new Error('The browser could not store the key')

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(failureOf(request))
  })

const openDatabase = (): Promise<IDBDatabase> => {
  const opening = indexedDB.open(DATABASE, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(KEYS)
  return done(opening)
}

/** The key under the name: the one that is there, or else this one, which is there for good once the promise resolves. */
const keep = async (database: IDBDatabase, name: string, made?: KeyPairSigner): Promise<KeyPairSigner | undefined> => {
  const transaction = database.transaction(KEYS, 'readwrite')
  const committed = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(failureOf(transaction))
  })
  const keys = transaction.objectStore(KEYS)
  const known = (await done(keys.get(name))) as KeyPairSigner | undefined
  if (known === undefined && made !== undefined) keys.put(made, name)
  await committed
  return known ?? made
}

/**
 * The device key of this browser profile: made once, kept in IndexedDB, and not extractable, so that scripts can use it
 * while they run in the page and never carry it away. There is no prompt; an app that wants one asks before it signs.
 *
 * @throws CountersignError `UNSUPPORTED`; the browser's own error where it cannot store
 */
export const webCryptoSigner = async ({ name = 'default' }: WebCryptoSignerOptions = {}): Promise<DeviceSigner> => {
  if (!globalThis.indexedDB) throw new CountersignError('This platform has no IndexedDB', { code: 'UNSUPPORTED' })
  const database = await openDatabase()
  try {
    const known = await keep(database, name)
    if (known !== undefined) return keyPairSigner(known)
    // Made outside of a transaction, which ends where it waits for anything else. Of two tabs at once, the first to keep wins.
    const made = { deviceFingerprint: `web-${crypto.randomUUID()}`, keyPair: await generateSigningKeyPair(false) }
    return keyPairSigner((await keep(database, name, made)) ?? made)
  } finally {
    database.close()
  }
}
