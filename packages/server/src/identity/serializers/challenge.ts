import type { Output } from '@countersign/contract'
import { type CommittedChallenge, toIsoTimestamp } from '@countersign/core'

type Issued = Pick<CommittedChallenge<'device_login'>, 'challenge' | 'nonce' | 'expiresAt' | 'id'>

export const serializeLoginChallenge = ({ challenge, nonce, expiresAt, id }: Issued): Output<'mobile.beginLogin'> => ({
  challenge,
  nonce,
  expiresAt: toIsoTimestamp(expiresAt),
  sessionId: id,
})

export const serializeRegistrationChallenge = (
  challenge: CommittedChallenge<'device_registration'>,
): Output<'devices.beginRegistration'> => ({
  ...serializeLoginChallenge(challenge),
  deviceId: challenge.subject.deviceId,
})
