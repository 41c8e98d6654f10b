export { describeRateLimitStore, type OpenedRateLimitStore } from './describe-rate-limit-store.ts'
export { describeStorage } from './describe-storage.ts'
export { type DirectoryUnderTest, describeUserDirectory } from './describe-user-directory.ts'
