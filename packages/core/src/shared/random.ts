import { randomFillSync, randomUUID } from 'node:crypto'
import type { Instant } from './clock.ts'

/** Where randomness comes from. Must be a cryptographically secure generator outside tests. */
export interface Random {
  /** `count` fresh random bytes. */
  bytes(count: number): Uint8Array
  /** A version 4 UUID, where there is a quicker way to one than by `bytes`. */
  uuid?(): string
}

/** Node makes UUIDs many at a time: two of them by `bytes` took a twentieth of a refresh. */
export const systemRandom: Random = { bytes: (count) => randomFillSync(new Uint8Array(count)), uuid: () => randomUUID() }

const toUuid = (bytes: Uint8Array, version: number): string => {
  bytes[6] = ((bytes[6] as number) & 0x0f) | (version << 4)
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  const hex = Buffer.from(bytes).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** A version 4 UUID (RFC 9562 §5.4) of 122 random bits. */
export const randomUuid = (random: Random): string => random.uuid?.() ?? toUuid(random.bytes(16), 4)

/** A version 7 UUID (RFC 9562 §5.7): sorted as text, later milliseconds come later. Tells when it was made. */
export const orderedUuid = (random: Random, now: Instant): string => {
  const bytes = random.bytes(16)
  Buffer.from(bytes.buffer, bytes.byteOffset).writeUIntBE(now, 0, 6)
  return toUuid(bytes, 7)
}
