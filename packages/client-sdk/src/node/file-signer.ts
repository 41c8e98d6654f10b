import { randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import type { DeviceSigner } from '../identity/devices/device-signer.ts'
import { generateSigningKeyPair, KEY, keyPairSigner } from '../identity/devices/key-pair-signer.ts'

interface KeyFile {
  readonly deviceFingerprint: string
  /** JWK (RFC 7518 §6.2), which also contains the public key. */
  readonly privateKey: JsonWebKey
}

const { subtle } = globalThis.crypto

const hasErrorCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException).code === code

const read = async (path: string): Promise<KeyFile | undefined> => {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as KeyFile
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Writes the whole file or nothing, and never overwrites a file. If two processes write at the same time, the first wins. */
const write = async (path: string, content: KeyFile): Promise<void> => {
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, JSON.stringify(content), { mode: 0o600, flag: 'wx', flush: true })
  try {
    await link(draft, path)
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error
  } finally {
    await rm(draft)
  }
}

const make = async (): Promise<KeyFile> => {
  const { privateKey } = await generateSigningKeyPair(true)
  return { deviceFingerprint: `node-${randomUUID()}`, privateKey: await subtle.exportKey('jwk', privateKey) }
}

/**
 * Returns the device key in a file, which the first use makes for its owner only. Everybody who can read the file can sign as this
 * device.
 * @throws SyntaxError or DataError if the file contains no such key; the errors of the file system
 */
export const fileSigner = async (path: string): Promise<DeviceSigner> => {
  let file = await read(path)
  if (file === undefined) {
    const made = await make()
    await write(path, made)
    file = (await read(path)) ?? made
  }
  const { deviceFingerprint, privateKey: jwk } = file
  const { d: _, key_ops: __, ...publicJwk } = jwk
  const [privateKey, publicKey] = await Promise.all([
    subtle.importKey('jwk', jwk, KEY, false, ['sign']),
    subtle.importKey('jwk', publicJwk, KEY, true, ['verify']),
  ])
  return keyPairSigner({ deviceFingerprint, keyPair: { privateKey, publicKey } })
}
