import { generateReceiptKeyRing, parseReceiptKeyRing, type ReceiptKeyRing } from '../approvals/receipts/receipt-key-ring.ts'
import type { CountersignConfig } from '../config.ts'
import { type Countersign, createCountersign } from '../countersign.ts'
import { argon2Hasher } from '../identity/passwords/argon2-hasher.ts'
import type { PasswordHasher } from '../identity/passwords/hasher.ts'
import { generateKeyRing, type KeyRing, parseKeyRing } from '../shared/crypto/key-ring.ts'
import { systemRandom } from '../shared/random.ts'
import type { FullStorage } from '../storage.ts'
import { type DrainableBackground, drainableBackground } from './drainable-background.ts'
import { type FakeClock, fakeClock } from './fake-clock.ts'
import { createMemoryStorage } from './memory/storage.ts'
import { type RecordingLogger, recordingLogger } from './recording-logger.ts'
import { type RecordingPush, recordingPush } from './recording-push.ts'

/** Options of a test. Everything left out is made new for each test. `receipts: undefined` leaves receipts unconfigured. */
export interface TestCountersignOverrides
  extends Partial<Omit<CountersignConfig, 'storage' | 'clock' | 'push' | 'background' | 'logger'>> {
  readonly storage?: FullStorage
  /** The clock of another `TestCountersign`, for two on the same storage. */
  readonly clock?: FakeClock
}

/** A `Countersign` on a database in memory, with the fakes that it uses. */
export interface TestCountersign {
  readonly countersign: Countersign
  readonly storage: FullStorage
  readonly clock: FakeClock
  readonly push: RecordingPush
  readonly background: DrainableBackground
  readonly logger: RecordingLogger
  readonly passwords: PasswordHasher
  readonly jwtKeys: KeyRing
  readonly encryptionKeys: KeyRing
}

/** Returns a key ring with one random key of 256 bits. */
export const aKeyRing = (): KeyRing => parseKeyRing(generateKeyRing(systemRandom), { exactly: true })

/** Returns a ring with one new Ed25519 key for receipts. */
export const aReceiptKeyRing = (): ReceiptKeyRing => parseReceiptKeyRing(generateReceiptKeyRing())

/** Returns an argon2id hasher with the lowest possible cost (RFC 9106 §3.1). Its hashes protect nothing. */
export const cheapHasher = (): PasswordHasher => argon2Hasher({ memoryKib: 8, passes: 1 })

/** Makes a `Countersign` for a test. */
export const createTestCountersign = (overrides: TestCountersignOverrides = {}): TestCountersign => {
  const clock = overrides.clock ?? fakeClock()
  const push = recordingPush()
  const background = drainableBackground(clock)
  const logger = recordingLogger()
  const given = {
    storage: overrides.storage ?? createMemoryStorage(),
    passwords: overrides.passwords ?? cheapHasher(),
    jwtKeys: overrides.jwtKeys ?? aKeyRing(),
    encryptionKeys: overrides.encryptionKeys ?? aKeyRing(),
  }
  const receipts = { keys: aReceiptKeyRing(), issuer: 'https://auth.example.com' }
  const countersign = createCountersign({ receipts, ...overrides, ...given, clock, push, background, logger })
  return { ...given, countersign, clock, push, background, logger }
}
