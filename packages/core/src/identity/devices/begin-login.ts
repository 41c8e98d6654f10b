import type { Checked } from '@countersign/contract'
import type { Challenge } from '../challenges/challenge.ts'
import { newChallenge } from '../challenges/new-challenge.ts'
import type { IdentityDeps } from '../deps.ts'

/**
 * Issues the challenge that a device signs to log in. The fingerprint is not looked up here, so a caller cannot tell unknown
 * fingerprints from known fingerprints.
 */
export const beginLogin = async (
  deps: Pick<IdentityDeps, 'storage' | 'clock' | 'random' | 'options'>,
  input: Checked<'mobile.beginLogin'>,
): Promise<Challenge<'device_login'>> => {
  const subject = { deviceFingerprint: input.deviceFingerprint }
  const challenge = newChallenge(deps, { purpose: 'device_login', userId: null, subject }, deps.clock.now())
  await deps.storage.challenges.issue(challenge)
  return challenge
}
