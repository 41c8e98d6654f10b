import { confirming, ending, postedByService, read, readByService, reading } from './common.ts'
import type { Operation } from './operation.ts'

/** The operations of approvals. */
export const approvalOperations = {
  'confirmations.initiate': {
    ...confirming,
    path: '/api/v1/auth/confirmation/initiate',
    refusals: [403],
    summary: 'Ask for an action to be confirmed on a registered device',
  },
  'confirmations.pending': {
    ...reading,
    path: '/api/v1/auth/confirmation/pending',
    refusals: [403],
    summary: 'List the confirmations that wait for the signature of this device, newest first',
  },
  'confirmations.list': {
    ...reading,
    path: '/api/v1/auth/confirmations',
    refusals: [403],
    summary: 'List what the user was asked to confirm, decided, pending and missed, newest first',
  },
  'confirmations.status': {
    ...reading,
    path: '/api/v1/auth/confirmation/{confirmationId}/status',
    summary: 'Read the state of a confirmation',
  },
  'confirmations.verify': {
    ...confirming,
    path: '/api/v1/auth/confirmation/{confirmationId}/verify',
    refusals: [403, 410],
    summary: 'Approve a confirmation by a signature of a device or passkey, once',
  },
  'devices.vouch': {
    ...confirming,
    path: '/api/v1/auth/devices/{deviceId}/vouch',
    refusals: [403, 404, 409],
    summary: 'Start the vouching for a device on probation again, from a trusted device or the new one',
  },
  'passkeys.vouch': {
    ...confirming,
    path: '/api/v1/auth/webauthn/credentials/{credentialId}/vouch',
    refusals: [403, 404, 409],
    summary: 'Start the vouching for a passkey on probation again, from a trusted device',
  },
  'devices.vouching': {
    ...reading,
    path: '/api/v1/auth/devices/{deviceId}/vouching',
    summary: 'Read the vouching for a device and its number, in a session of the device or the session that registered it',
  },
  'passkeys.vouching': {
    ...reading,
    path: '/api/v1/auth/webauthn/credentials/{credentialId}/vouching',
    summary: 'Read the vouching for a passkey and its number, in a session of the passkey or the session that registered it',
  },
  'confirmations.receipt': {
    ...reading,
    path: '/api/v1/auth/confirmation/{confirmationId}/receipt',
    refusals: [409],
    summary: 'Get the receipt of an approved confirmation: evidence that anyone can verify offline',
  },
  'receipts.keys': {
    ...read,
    envelope: 'bare',
    contentType: 'application/jwk-set+json',
    path: '/.well-known/countersign/receipt-keys',
    authentication: 'none',
    rateLimit: 'confirmation-reading',
    summary: 'List the public keys of receipts, retired and revoked keys included',
  },
  'confirmations.reject': {
    ...ending,
    path: '/api/v1/auth/confirmation/{confirmationId}/reject',
    refusals: [403, 410],
    summary: 'Reject a confirmation',
  },
  'confirmations.withdraw': {
    ...ending,
    path: '/api/v1/auth/confirmation/{confirmationId}/withdraw',
    refusals: [403, 410],
    summary: 'Withdraw a confirmation that a session of the user asked for, while nobody has decided',
  },
  'events.stream': {
    ...reading,
    envelope: 'bare',
    contentType: 'text/event-stream',
    path: '/api/v1/auth/events',
    summary: 'Follow what happens to confirmations, approval requests and sessions of the user, as server-sent events',
  },
  'services.initiate': {
    ...postedByService,
    path: '/internal/confirmations',
    refusals: [403, 404],
    summary: 'Ask a user to confirm an action of another service',
  },
  'services.confirmation': {
    ...readByService,
    path: '/internal/confirmations/{confirmationId}',
    refusals: [403],
    summary: 'Read the state of a confirmation, and wait for the decision of the user',
  },
  'services.receipt': {
    ...readByService,
    path: '/internal/confirmations/{confirmationId}/receipt',
    refusals: [403, 409],
    summary: 'Get the receipt of an approved confirmation',
  },
  'services.redeem': {
    ...postedByService,
    path: '/internal/confirmations/{confirmationId}/redeem',
    refusals: [403, 409, 410],
    summary: 'Use an approval once, and get its receipt',
  },
  'services.withdraw': {
    ...postedByService,
    path: '/internal/confirmations/{confirmationId}/withdraw',
    refusals: [403, 410],
    summary: 'Withdraw a confirmation that the service asked for, while nobody has decided',
  },
  'approvals.start': {
    ...confirming,
    path: '/api/v1/auth/approvals',
    refusals: [403, 409],
    summary: 'Ask several other users to approve an action',
  },
  'approvals.list': {
    ...reading,
    path: '/api/v1/auth/approvals',
    refusals: [403],
    summary: 'List the approval requests that the user started, newest first',
  },
  'approvals.read': {
    ...reading,
    path: '/api/v1/auth/approvals/{approvalId}',
    summary: 'Read the state of an approval request, as its requester or as a user who was asked',
  },
  'approvals.withdraw': {
    ...ending,
    path: '/api/v1/auth/approvals/{approvalId}/withdraw',
    refusals: [403, 410],
    summary: 'Withdraw an approval request, as its requester, while approvals are missing',
  },
  'approvals.stop': {
    ...ending,
    path: '/api/v1/auth/approvals/{approvalId}/stop',
    refusals: [409, 410],
    summary: 'Stop an approval request for good, as a user who was asked, until it is used',
  },
  'services.approval': {
    ...readByService,
    path: '/internal/approvals/{approvalId}',
    refusals: [403],
    summary: 'Read the state of an approval request',
  },
  'services.redeemApproval': {
    ...postedByService,
    path: '/internal/approvals/{approvalId}/redeem',
    refusals: [403, 409, 410],
    summary: 'Use the approvals of a request once, and get their receipts',
  },
  'services.withdrawApproval': {
    ...postedByService,
    path: '/internal/approvals/{approvalId}/withdraw',
    refusals: [403, 410],
    summary: 'Withdraw an approval request that the service would use, while approvals are missing',
  },
} as const satisfies Readonly<Record<string, Operation>>
