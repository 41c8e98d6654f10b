import { CountersignError } from '../../shared/errors/countersign-error.ts'
import type { DeviceSigner } from './device-signer.ts'
import { generateSigningKeyPair, type KeyPairSigner, keyPairSigner } from './key-pair-signer.ts'

/** The options of `webCryptoSigner`. */
export interface WebCryptoSignerOptions {
  /** The name of the key, for several keys in one origin. */
  readonly name?: string
}

const DATABASE = 'countersign'
const KEYS = 'device-keys'

/** Browsers can fail without an error. */
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

/** Stores the made key under the name, unless the name has a key already. Resolves with the stored key after the commit. */
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
 * Returns the device key of this browser profile. The browser makes the key once and keeps it in IndexedDB. Scripts of the page
 * can use the key but never read it. There is no prompt; an app that wants a prompt asks before it signs.
 *
 * @throws CountersignError `UNSUPPORTED`; the browser's own error if the browser cannot store the key
 */
export const webCryptoSigner = async ({ name = 'default' }: WebCryptoSignerOptions = {}): Promise<DeviceSigner> => {
  if (!globalThis.indexedDB) throw new CountersignError('This platform has no IndexedDB', { code: 'UNSUPPORTED' })
  const database = await openDatabase()
  try {
    const known = await keep(database, name)
    if (known !== undefined) return keyPairSigner(known)
    // A transaction ends when its code waits for anything else, so the key is made outside. If two tabs make a key, the first
    // stored key wins.
    const made = { deviceFingerprint: `web-${crypto.randomUUID()}`, keyPair: await generateSigningKeyPair(false) }
    return keyPairSigner((await keep(database, name, made)) ?? made)
  } finally {
    database.close()
  }
}
