import type { CountersignConfig } from '../config.ts'
import { type CountersignOf, createCountersign } from '../countersign.ts'
import type { PasswordHasher } from '../identity/hashing/hasher.ts'
import type { Part } from '../parts.ts'
import type { KeyRing } from '../shared/crypto/key-ring.ts'
import type { FullStorage } from '../storage.ts'
import { type DrainableBackground, drainableBackground } from './drainable-background.ts'
import { type FakeClock, fakeClock } from './fake-clock.ts'
import { type RecordingLogger, recordingLogger } from './recording-logger.ts'
import { type RecordingPush, recordingPush } from './recording-push.ts'
import { aKeyRing, aReceiptKeyRing, cheapHasher } from './test-keys.ts'

/** Options of a test. Everything left out is made new for each test. `receipts: undefined` leaves receipts unconfigured. */
export interface TestCountersignOverrides<P extends Part = Part, S extends FullStorage = FullStorage>
  extends Partial<Omit<CountersignConfig<P>, 'storage' | 'clock' | 'push' | 'background' | 'logger'>> {
  /** The storage of another `TestCountersign`, or one of your own. */
  readonly storage?: S
  /** The clock of another `TestCountersign`, for two on the same storage. */
  readonly clock?: FakeClock
}

/** A `Countersign` for a test, with the fakes that it uses. */
export interface TestCountersign<P extends Part = Part, S extends FullStorage = FullStorage> {
  readonly countersign: CountersignOf<P>
  readonly storage: S
  readonly clock: FakeClock
  readonly push: RecordingPush
  readonly background: DrainableBackground
  readonly logger: RecordingLogger
  readonly passwords: PasswordHasher
  readonly jwtKeys: KeyRing
  readonly encryptionKeys: KeyRing
}

/**
 * Makes a `Countersign` for a test on a storage that has its tables. `createTestCountersign` of
 * `@countersign/storage-sqlite/testing` and of `@countersign/storage-postgres/testing` make the storage too.
 */
export const testCountersignOn = <P extends Part = Part, S extends FullStorage = FullStorage>(
  storage: S,
  overrides: TestCountersignOverrides<P, S> = {},
): TestCountersign<P, S> => {
  const clock = overrides.clock ?? fakeClock()
  const push = recordingPush()
  const background = drainableBackground(clock)
  const logger = recordingLogger()
  const given = {
    storage,
    passwords: overrides.passwords ?? cheapHasher(),
    jwtKeys: overrides.jwtKeys ?? aKeyRing(),
    encryptionKeys: overrides.encryptionKeys ?? aKeyRing(),
  }
  const receipts = { keys: aReceiptKeyRing(), issuer: 'https://auth.example.com' }
  const countersign = createCountersign<P>({ receipts, ...overrides, ...given, clock, push, background, logger })
  return { ...given, countersign, clock, push, background, logger }
}
