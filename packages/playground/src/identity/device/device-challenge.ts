import type { Output } from '@countersign/contract'
import { fromBase64, toBase64 } from '../../shared/base64.ts'
import { isCommitment } from '../../shared/commitment.ts'
import { decodeToken } from '../tokens/decode-token.ts'
import type { DeviceKey } from './device-key.ts'

/** The challenge serves another purpose than the one shown, such as an approval. */
export class ForeignChallenge extends Error {
  override readonly name = 'ForeignChallenge'
  constructor() {
    super('The challenge does not belong to this step, so this phone refuses to sign it.')
  }
}

/** Returns the challenge, if it was made for a login with this device. @throws ForeignChallenge otherwise */
export const loginChallenge = async (
  { deviceFingerprint }: Pick<DeviceKey, 'deviceFingerprint'>,
  begun: Output<'mobile.beginLogin'>,
): Promise<string> => {
  const { sessionId, expiresAt } = begun
  const statement = { sessionId, deviceFingerprint, expiresAt }
  if (!(await isCommitment('countersign.device-login.v1', begun, statement))) throw new ForeignChallenge()
  return begun.challenge
}

/** Returns the RFC 7638 thumbprint of a P-256 key, given as SPKI in PEM. */
const keyThumbprint = async (publicKey: string): Promise<string> => {
  const spki = fromBase64(publicKey.replaceAll(/-----.*?-----|\s/g, ''))
  const key = await crypto.subtle.importKey('spki', spki, { name: 'ECDSA', namedCurve: 'P-256' }, true, ['verify'])
  const { crv, kty, x, y } = await crypto.subtle.exportKey('jwk', key)
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify({ crv, kty, x, y })))
  return toBase64(digest).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Returns the challenge of the registration of this key, for the user of the token. @throws ForeignChallenge */
export const registrationChallenge = async (
  { publicKey, deviceFingerprint }: Pick<DeviceKey, 'publicKey' | 'deviceFingerprint'>,
  begun: Output<'devices.beginRegistration'>,
  token: string,
): Promise<string> => {
  const { deviceId, expiresAt } = begun
  const userId = decodeToken(token)?.claims.id
  const statement = { deviceId, userId, keyThumbprint: await keyThumbprint(publicKey), deviceFingerprint, expiresAt }
  if (!(await isCommitment('countersign.device-registration.v1', begun, statement))) throw new ForeignChallenge()
  return begun.challenge
}
