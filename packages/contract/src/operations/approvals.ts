import { authentication, fields } from './common.ts'
import type { Operation } from './operation.ts'

/** The operations of approvals. */
export const approvalOperations = {
  'confirmations.initiate': {
    ...authentication,
    method: 'POST',
    path: '/api/v1/auth/confirmation/initiate',
    body: fields,
    authentication: 'user',
    rateLimit: 'confirmation',
    summary: 'Ask for an action to be confirmed on a registered device',
  },
  'confirmations.pending': {
    ...authentication,
    method: 'GET',
    path: '/api/v1/auth/confirmation/pending',
    authentication: 'user',
    rateLimit: 'confirmation-reading',
    refusals: [403],
    summary: 'List the confirmations that wait for the signature of this device, newest first',
  },
  'confirmations.status': {
    ...authentication,
    method: 'GET',
    path: '/api/v1/auth/confirmation/{confirmationId}/status',
    authentication: 'user',
    rateLimit: 'confirmation-reading',
    summary: 'Read the state of a confirmation',
  },
  'confirmations.verify': {
    ...authentication,
    method: 'POST',
    path: '/api/v1/auth/confirmation/{confirmationId}/verify',
    body: fields,
    authentication: 'user',
    rateLimit: 'confirmation',
    refusals: [403, 410],
    summary: 'Approve a confirmation by a device signature, once',
  },
  'devices.vouch': {
    ...authentication,
    method: 'POST',
    path: '/api/v1/auth/devices/{deviceId}/vouch',
    body: fields,
    authentication: 'user',
    rateLimit: 'device-registration',
    refusals: [403, 404, 409],
    summary: 'Start the vouching for a device on probation again, from a trusted device',
  },
  'confirmations.reject': {
    ...authentication,
    method: 'POST',
    path: '/api/v1/auth/confirmation/{confirmationId}/reject',
    body: fields,
    authentication: 'user',
    rateLimit: 'confirmation',
    refusals: [403, 410],
    summary: 'Reject a confirmation',
  },
} as const satisfies Readonly<Record<string, Operation>>
