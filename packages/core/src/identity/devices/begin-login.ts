import type { Checked } from '@countersign/contract'
import { toIsoTimestamp } from '../../shared/clock.ts'
import { toBase64 } from '../../shared/crypto/base64.ts'
import { newChallengeRow } from '../challenges/new-challenge.ts'
import type { IdentityDeps } from '../deps.ts'
import type { Challenge } from '../records/challenge.ts'
import { type CommittedChallenge, deviceLoginChallenge, NONCE_BYTES } from './device-challenge.ts'

/**
 * Issues the challenge that a device signs to log in. The fingerprint is not looked up, so that nobody learns which ones are
 * known. The nonce is not stored: only the signer needs it. @throws Invalid
 * @example const { id, challenge, nonce } = await countersign.mobile.beginLogin({ deviceFingerprint })
 */
export async function beginLogin(
  deps: IdentityDeps,
  { deviceFingerprint }: Checked<'mobile.beginLogin'>,
): Promise<CommittedChallenge<'device_login'>> {
  const row = newChallengeRow(deps, deps.clock.now())
  const nonce = deps.random.bytes(NONCE_BYTES)
  const statement = { sessionId: row.id, deviceFingerprint, expiresAt: toIsoTimestamp(row.expiresAt) }
  const challenge: Challenge<'device_login'> = {
    ...row,
    purpose: 'device_login',
    userId: null,
    challenge: deviceLoginChallenge(nonce, statement),
    subject: { deviceFingerprint },
  }
  await deps.storage.challenges.issue(challenge)
  return { ...challenge, nonce: toBase64(nonce) }
}
