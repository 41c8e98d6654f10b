export {
  aChallenge,
  aChallengeText,
  aConfirmation,
  aCustomer,
  aDevice,
  aNewUser,
  anActionType,
  anApprovalRequest,
  anEvidence,
  anExpense,
  aOneTimeCode,
  aPasskey,
  aProduct,
  aProductSchema,
  aProject,
  aPushToken,
  aRegistrationEvidence,
  aResource,
  aSealedField,
  aServiceToken,
  aSession,
  aUser,
  noWaits,
} from './builders.ts'
export { type DrainableBackground, drainableBackground } from './drainable-background.ts'
export { failuresOf } from './failures-of.ts'
export { clockStart, type FakeClock, fakeClock } from './fake-clock.ts'
export { type HostileToken, hostileTokens } from './hostile-tokens.ts'
export { type MemoryDirectory, memoryDirectory } from './memory-directory.ts'
export * from './passkeys.ts'
export { type LogEntry, type RecordingLogger, recordingLogger } from './recording-logger.ts'
export { type RecordingPush, recordingPush } from './recording-push.ts'
export * from './sign-in.ts'
export { type TestCountersign, type TestCountersignOverrides, testCountersignOn } from './test-countersign.ts'
export * from './test-device.ts'
export { aKeyRing, aReceiptKeyRing, cheapHasher } from './test-keys.ts'
export { validPayloads } from './valid-payloads.ts'
export { createVirtualPasskey } from './virtual-passkey.ts'
export type * from './virtual-passkey-types.ts'
export { wireTransferDefinition, wireTransferPayload } from './wire-transfer.ts'
