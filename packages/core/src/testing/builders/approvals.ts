import type { Confirmation } from '../../approvals/confirmations/confirmation.ts'
import { minutes } from '../../shared/clock.ts'
import { clockStart } from '../fake-clock.ts'
import { aChallengeText, aSealedField, uuid } from './shared.ts'

/** Returns a pending payment approval for five minutes. Its challenge is random, because a storage never checks it. */
export const aConfirmation = (overrides: Partial<Confirmation> = {}): Confirmation => {
  const createdAt = overrides.createdAt ?? clockStart
  return {
    id: `conf_${uuid()}`,
    userId: 1,
    actionType: 'payment_approval',
    payload: aSealedField(),
    nonce: aSealedField(),
    challenge: aChallengeText(),
    requestedFrom: aSealedField(),
    requestedBy: uuid(),
    matchNumber: null,
    wrongMatchNumbers: 0,
    status: 'pending',
    wrongSignatures: 0,
    deviceId: null,
    rejectReason: null,
    createdAt,
    expiresAt: createdAt + minutes(5),
    updatedAt: createdAt,
    ...overrides,
  }
}
