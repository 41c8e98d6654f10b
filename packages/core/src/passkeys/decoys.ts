import { createHmac } from 'node:crypto'
import { toBase64Url } from '../crypto/base64.ts'
import { deriveKey } from '../crypto/derive-key.ts'
import { type KeyRing, oldestSecret } from '../crypto/key-ring.ts'
import { type Descriptor, toDescriptor } from './descriptor.ts'

/** What passkeys look like, as common as they are: those of phones and password managers, of computers, of security keys. */
const looks: readonly { readonly bytes: number; readonly transports: readonly string[]; readonly weight: number }[] = [
  { bytes: 20, transports: ['hybrid', 'internal'], weight: 96 },
  { bytes: 16, transports: ['hybrid', 'internal'], weight: 64 },
  { bytes: 32, transports: ['internal'], weight: 64 },
  { bytes: 48, transports: ['nfc', 'usb'], weight: 16 },
  { bytes: 64, transports: ['usb'], weight: 16 },
]

/** Out of 256: how many users have a second passkey. */
const SECOND = 64

const lookOf = (draw: number) => {
  let left = draw
  return looks.find(({ weight }) => {
    left -= weight
    return left < 0
  })
}

/**
 * The passkeys of an email that has none: always the same for one email, and unlike those of any other. Nobody who lacks
 * the key can tell them from real ones, and no passkey of these ids exists.
 */
export const decoysOf = (ring: KeyRing, email: string): readonly Descriptor[] => {
  // Decoys that change where real passkeys do not could be told apart.
  const key = deriveKey(oldestSecret(ring), 'passkeys/decoys')
  const bytesFor = (purpose: string) => createHmac('sha512', key).update(`${purpose}\0${email}`).digest()
  const [second = 0, ...draws] = bytesFor('looks')
  return (second < SECOND ? [0, 1] : [0]).map((index) => {
    const { bytes = 20, transports = [] } = lookOf(draws[index] ?? 0) ?? {}
    return toDescriptor({ id: toBase64Url(bytesFor(`id ${index}`).subarray(0, bytes)), transports })
  })
}
