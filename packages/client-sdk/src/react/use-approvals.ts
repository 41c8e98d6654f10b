import type { Output } from '@countersign/contract'
import type { Confirmation } from '../approvals/methods.ts'
import type { PendingConfirmation } from '../identity/devices/device-signer.ts'
import type { Source } from './live-value.ts'
import { useClient } from './provider.ts'
import { type HookOptions, type Read, useLiveValue } from './use-live-value.ts'

type ApprovalRequest = Output<'approvals.read'>

const confirmation = (confirmationId: string): Source<Confirmation> => ({
  key: confirmationId,
  read: (client) => client.confirmations.status({ confirmationId }),
  hears: (event) => ('id' in event ? event.id : confirmationId) === confirmationId,
  polls: true,
  isFinal: ({ status }) => status !== 'pending',
})

/** Follows a confirmation until it is decided or expires; `undefined` while nothing is asked. */
export const useConfirmation = (
  confirmationId: string | undefined,
  options?: HookOptions,
): Read & { readonly confirmation: Confirmation | undefined } => {
  const source = confirmationId === undefined ? undefined : confirmation(confirmationId)
  const { data, ...read } = useLiveValue(useClient(), source, options)
  return { ...read, confirmation: data }
}

const approvalRequest = (approvalId: string): Source<ApprovalRequest> => ({
  key: approvalId,
  read: (client) => client.approvalRequests.read({ approvalId }),
  hears: (event) => ('id' in event ? event.id : approvalId) === approvalId,
  polls: true,
  // A request that has all its approvals may still be stopped, and is used later.
  isFinal: ({ status }) => status !== 'pending' && status !== 'approved',
})

/** Follows an approval request with its votes, as its requester or somebody who was asked; `undefined` while nothing is asked. */
export const useApprovalRequest = (
  approvalId: string | undefined,
  options?: HookOptions,
): Read & { readonly request: ApprovalRequest | undefined } => {
  const source = approvalId === undefined ? undefined : approvalRequest(approvalId)
  const { data, ...read } = useLiveValue(useClient(), source, options)
  return { ...read, request: data }
}

const inbox: Source<readonly PendingConfirmation[]> = {
  key: 'inbox',
  read: async (client) => (await client.confirmations.pending()).confirmations,
  hears: () => true,
  polls: true,
}

/** Follows what waits for the signature of this device, the newest first. Needs a session of the device. */
export const useInbox = (
  options?: HookOptions,
): Read & { readonly confirmations: readonly PendingConfirmation[] | undefined } => {
  const { data, ...read } = useLiveValue(useClient(), inbox, options)
  return { ...read, confirmations: data }
}
