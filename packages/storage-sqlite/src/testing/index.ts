export type { TestCountersign, TestCountersignOverrides } from '@countersign/core/testing'
export { createTestCountersign } from './create-test-countersign.ts'
export { createTestStorage } from './create-test-storage.ts'
