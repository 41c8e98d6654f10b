import type { Part } from '@countersign/core'
import { type TestCountersign, type TestCountersignOverrides, testCountersignOn } from '@countersign/core/testing'
import { createTestStorage, type TestStorage } from './create-test-storage.ts'

/**
 * Makes a `Countersign` for a test, on a new PostgreSQL database. `storage.url` is the URL of the database, for the connections of
 * the host, and `storage.close()` removes it.
 */
export const createTestCountersign = async <P extends Part = Part>(
  overrides: TestCountersignOverrides<P, TestStorage> = {},
): Promise<TestCountersign<P, TestStorage>> => testCountersignOn(overrides.storage ?? (await createTestStorage()), overrides)
