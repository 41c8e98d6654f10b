import type { Output } from '@countersign/contract'
import { type Challenge, toIsoTimestamp } from '@countersign/core'

export const presentLoginChallenge = ({ challenge, expiresAt, id }: Challenge): Output<'mobile.beginLogin'> => ({
  challenge,
  expiresAt: toIsoTimestamp(expiresAt),
  sessionId: id,
})

export const presentRegistrationChallenge = (
  challenge: Challenge<'device_registration'>,
): Output<'devices.beginRegistration'> => ({
  ...presentLoginChallenge(challenge),
  deviceId: challenge.subject.deviceId,
})
