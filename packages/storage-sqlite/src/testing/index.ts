export { createTestCountersign, type TestCountersign, type TestCountersignOverrides } from './create-test-countersign.ts'
export { createTestStorage } from './create-test-storage.ts'
