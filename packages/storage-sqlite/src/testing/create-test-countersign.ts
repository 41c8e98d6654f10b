import { type Countersign, type CountersignConfig, createCountersign, type KeyRing, type PasswordHasher } from '@countersign/core'
import type { FullStorage } from '@countersign/core/storage'
import {
  aKeyRing,
  aReceiptKeyRing,
  cheapHasher,
  type DrainableBackground,
  drainableBackground,
  type FakeClock,
  fakeClock,
  type RecordingLogger,
  type RecordingPush,
  recordingLogger,
  recordingPush,
} from '@countersign/core/testing'
import { createTestStorage } from './create-test-storage.ts'

/** Options of a test. Everything left out is made new for each test. `receipts: undefined` leaves receipts unconfigured. */
export interface TestCountersignOverrides
  extends Partial<Omit<CountersignConfig, 'storage' | 'clock' | 'push' | 'background' | 'logger'>> {
  readonly storage?: FullStorage
  /** The clock of another `TestCountersign`, for two on the same storage. */
  readonly clock?: FakeClock
}

/** A `Countersign` on a SQLite database in memory, with the fakes that it uses. */
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

/** Makes a `Countersign` for a test. */
export const createTestCountersign = async (overrides: TestCountersignOverrides = {}): Promise<TestCountersign> => {
  const clock = overrides.clock ?? fakeClock()
  const push = recordingPush()
  const background = drainableBackground(clock)
  const logger = recordingLogger()
  const given = {
    storage: overrides.storage ?? (await createTestStorage()),
    passwords: overrides.passwords ?? cheapHasher(),
    jwtKeys: overrides.jwtKeys ?? aKeyRing(),
    encryptionKeys: overrides.encryptionKeys ?? aKeyRing(),
  }
  const receipts = { keys: aReceiptKeyRing(), issuer: 'https://auth.example.com' }
  const countersign = createCountersign({ receipts, ...overrides, ...given, clock, push, background, logger })
  return { ...given, countersign, clock, push, background, logger }
}
