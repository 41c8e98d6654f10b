import type { Checked } from '@countersign/contract'
import type { Challenge } from '../challenges/challenge.ts'
import { newChallenge } from '../challenges/new-challenge.ts'
import type { IdentityDeps } from '../deps.ts'

/**
 * Gives the challenge that a device signs to log in. Fingerprints are not looked up here, so that an unknown one cannot
 * be told from a known one: its challenge is one that no signature satisfies.
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
