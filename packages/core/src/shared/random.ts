import { randomFillSync, randomUUID } from 'node:crypto'
import type { Instant } from './clock.ts'

/** The port for random bytes. Outside tests the generator must be cryptographically secure. */
export interface Random {
  /** Returns `count` new random bytes. */
  bytes(count: number): Uint8Array
  /** Returns a version 4 UUID. Optional: a generator has this method if it is faster than `bytes`. */
  uuid?(): string
}

/** The random generator of Node. `randomUUID` is faster than `bytes`: Node fetches bytes for many UUIDs at a time. */
export const systemRandom: Random = { bytes: (count) => randomFillSync(new Uint8Array(count)), uuid: () => randomUUID() }

const toUuid = (bytes: Uint8Array, version: number): string => {
  bytes[6] = ((bytes[6] as number) & 0x0f) | (version << 4)
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  const hex = Buffer.from(bytes).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Returns a version 4 UUID (RFC 9562 §5.4), which has 122 random bits. */
export const randomUuid = (random: Random): string => random.uuid?.() ?? toUuid(random.bytes(16), 4)

/** Returns a version 7 UUID (RFC 9562 §5.7). It contains the time, so UUIDs sort by their time of creation. */
export const orderedUuid = (random: Random, now: Instant): string => {
  const bytes = random.bytes(16)
  Buffer.from(bytes.buffer, bytes.byteOffset).writeUIntBE(now, 0, 6)
  return toUuid(bytes, 7)
}
