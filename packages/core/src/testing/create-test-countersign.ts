import type { CountersignConfig } from '../config.ts'
import { type Countersign, createCountersign } from '../countersign.ts'
import { argon2Hasher } from '../identity/passwords/argon2.ts'
import type { PasswordHasher } from '../identity/passwords/hasher.ts'
import { generateKeyRing, type KeyRing, parseKeyRing } from '../shared/crypto/key-ring.ts'
import { systemRandom } from '../shared/random.ts'
import type { FullStorage } from '../storage.ts'
import { type DrainableBackground, drainableBackground } from './drainable-background.ts'
import { type FakeClock, fakeClock } from './fake-clock.ts'
import { createMemoryStorage } from './memory/storage.ts'
import { type RecordingLogger, recordingLogger } from './recording-logger.ts'
import { type RecordingPush, recordingPush } from './recording-push.ts'

/** What a test may bring itself. Everything left out is fresh: two that share nothing know nothing of each other. */
export interface TestCountersignOverrides
  extends Partial<Omit<CountersignConfig, 'storage' | 'clock' | 'push' | 'background' | 'logger'>> {
  readonly storage?: FullStorage
  /** A clock of another test countersign, where two stand on one storage. */
  readonly clock?: FakeClock
}

/** The whole core on a database in memory, and a hand on everything around it. */
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

/** A key ring of one fresh random key of 256 bits. */
export const aKeyRing = (): KeyRing => parseKeyRing(generateKeyRing(systemRandom), { exactly: true })

/** The cheapest argon2id there is (RFC 9106 §3.1). Its hashes protect nothing. */
export const cheapHasher = (): PasswordHasher => argon2Hasher({ memoryKib: 8, passes: 1 })

export const createTestCountersign = (overrides: TestCountersignOverrides = {}): TestCountersign => {
  const clock = overrides.clock ?? fakeClock()
  const push = recordingPush()
  const background = drainableBackground()
  const logger = recordingLogger()
  const given = {
    storage: overrides.storage ?? createMemoryStorage(),
    passwords: overrides.passwords ?? cheapHasher(),
    jwtKeys: overrides.jwtKeys ?? aKeyRing(),
    encryptionKeys: overrides.encryptionKeys ?? aKeyRing(),
  }
  const countersign = createCountersign({ ...overrides, ...given, clock, push, background, logger })
  return { ...given, countersign, clock, push, background, logger }
}
