import { randomFillSync } from 'node:crypto'
import type { Instant } from './clock.ts'

/** Where randomness comes from. Must be a cryptographically secure generator outside tests. */
export interface Random {
  /** `count` fresh random bytes. */
  bytes(count: number): Uint8Array
}

/** Bytes that are asked for at once, of which small requests are served. */
const POOL_BYTES = 4096
const MOST_POOLED = 64

let pool = new Uint8Array(0)
let used = 0

/**
 * The system's generator. Few bytes come out of a pool, as Node's own UUIDs do: asked for one by one, they are a fifteenth
 * of a refresh. What was handed out is wiped from it.
 */
export const systemRandom: Random = {
  bytes: (count) => {
    if (count > MOST_POOLED) return randomFillSync(new Uint8Array(count))
    if (used + count > pool.length) {
      pool = randomFillSync(new Uint8Array(POOL_BYTES))
      used = 0
    }
    const bytes = pool.slice(used, used + count)
    pool.fill(0, used, used + count)
    used += count
    return bytes
  },
}

const toUuid = (bytes: Uint8Array, version: number): string => {
  bytes[6] = ((bytes[6] as number) & 0x0f) | (version << 4)
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  const hex = Buffer.from(bytes).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** A version 4 UUID (RFC 9562 §5.4) of 122 random bits. */
export const randomUuid = (random: Random): string => toUuid(random.bytes(16), 4)

/** A version 7 UUID (RFC 9562 §5.7): sorted as text, later milliseconds come later. Tells when it was made. */
export const orderedUuid = (random: Random, now: Instant): string => {
  const bytes = random.bytes(16)
  Buffer.from(bytes.buffer, bytes.byteOffset).writeUIntBE(now, 0, 6)
  return toUuid(bytes, 7)
}
