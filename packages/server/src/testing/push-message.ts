import type { ConfirmationRequested } from '@countersign/core'

export const aPushMessage = (given: Pick<ConfirmationRequested, 'pushToken' | 'expiresAt'>): ConfirmationRequested => ({
  type: 'confirmation.requested',
  deviceId: 'device-1',
  confirmationId: 'conf_1',
  actionType: 'payment_approval',
  count: 1,
  ...given,
})
