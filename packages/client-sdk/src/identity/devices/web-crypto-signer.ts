import { changeBrowserEntry } from '../../shared/browser-database.ts'
import type { DeviceSigner } from './device-signer.ts'
import { generateSigningKeyPair, type KeyPairSigner, keyPairSigner } from './key-pair-signer.ts'

/** The options of `webCryptoSigner`. */
export interface WebCryptoSignerOptions {
  /** The name of the key, for several keys in one origin. */
  readonly name?: string
}

const KEYS = { database: 'countersign', name: 'device-keys' }

/**
 * Returns the device key of this browser profile, in IndexedDB. Scripts of the page can use the key, but never read it. There is no
 * prompt; an app that wants one asks before it signs.
 * @throws CountersignError `UNSUPPORTED` without WebCrypto or storage; `TIMEOUT` if the browser does not answer
 */
export const webCryptoSigner = async ({ name = 'default' }: WebCryptoSignerOptions = {}): Promise<DeviceSigner> => {
  const known = await changeBrowserEntry<KeyPairSigner>(KEYS, name, (current) => current)
  if (known !== undefined) return keyPairSigner(known)
  // A transaction ends when its code waits for anything else, so the key is made outside. If two tabs make a key, the first
  // stored key wins.
  const made = { deviceFingerprint: `web-${crypto.randomUUID()}`, keyPair: await generateSigningKeyPair(false) }
  return keyPairSigner((await changeBrowserEntry<KeyPairSigner>(KEYS, name, (current) => current ?? made)) ?? made)
}
