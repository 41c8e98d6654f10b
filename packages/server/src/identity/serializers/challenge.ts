import type { Output } from '@countersign/contract'
import { type Challenge, toIsoTimestamp } from '@countersign/core'

export const serializeLoginChallenge = ({ challenge, expiresAt, id }: Challenge): Output<'mobile.beginLogin'> => ({
  challenge,
  expiresAt: toIsoTimestamp(expiresAt),
  sessionId: id,
})

export const serializeRegistrationChallenge = (
  challenge: Challenge<'device_registration'>,
): Output<'devices.beginRegistration'> => ({
  ...serializeLoginChallenge(challenge),
  deviceId: challenge.subject.deviceId,
})
