/** Hooks for React 19: who is signed in, what was asked, and what waits for this device. */
export { CountersignProvider, type CountersignProviderProps, type Me, useClient } from './provider.ts'
export { useApprovalRequest, useConfirmation, useInbox } from './use-approvals.ts'
export type { HookOptions, Read } from './use-live-value.ts'
export { type SessionState, useSession } from './use-session.ts'
