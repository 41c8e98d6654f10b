import type { Part } from '@countersign/core'
import { type TestCountersign, type TestCountersignOverrides, testCountersignOn } from '@countersign/core/testing'
import { createTestStorage } from './create-test-storage.ts'

/** Makes a `Countersign` for a test, on a new SQLite database in memory. */
export const createTestCountersign = async <P extends Part = Part>(
  overrides: TestCountersignOverrides<P> = {},
): Promise<TestCountersign<P>> => testCountersignOn(overrides.storage ?? (await createTestStorage()), overrides)
