import { createPrivateKey, sign } from 'node:crypto'

/** A registered device with its private key, and a session that it opened. */
export interface HeldDevice {
  readonly userId: number
  readonly deviceId: string
  readonly deviceFingerprint: string
  /** PKCS#8 in PEM. */
  readonly privateKey: string
  /** The tokens of a session that the device opened. The access token is valid for 15 minutes. */
  readonly accessToken: string
  readonly refreshToken: string
}

/** Signs challenges as a phone does: ES256 over the received text. */
export const challengeSigner = ({ privateKey }: Pick<HeldDevice, 'privateKey'>): ((challenge: string) => string) => {
  const key = createPrivateKey(privateKey)
  return (challenge) => sign('sha256', Buffer.from(challenge, 'utf8'), { key, dsaEncoding: 'der' }).toString('base64')
}

export const confirmedAction = {
  actionType: 'payment_approval',
  actionPayload: { amount: 1250.5, currency: 'EUR', recipient: 'ACME GmbH', reference: 'Invoice 2026-117' },
}
