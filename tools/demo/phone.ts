import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import type { Output } from '@countersign/contract'
import { confirmationChallenge } from '@countersign/core'
import { DemoFailed } from './demo-failed.ts'

type Pending = Output<'confirmations.pending'>['confirmations'][number]

/** A phone as the demonstration needs one: a key that never leaves it, and a name. */
export interface Phone {
  readonly deviceName: string
  readonly deviceFingerprint: string
  /** SPKI in PEM. */
  readonly publicKey: string
  /** Signs a challenge as it was sent; the signature as base64. */
  readonly sign: (challenge: string) => string
}

/** A phone with a fresh key. On a real one the key stands in secure hardware, and each signature asks for a finger or a face. */
export const createPhone = (): Phone => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    deviceName: 'Demo phone',
    deviceFingerprint: `demo-${randomUUID()}`,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sign: (challenge) => sign('sha256', Buffer.from(challenge, 'utf8'), privateKey).toString('base64'),
  }
}

/**
 * Signs what waits, but only if its challenge is the one that belongs to what the person is shown: a server, or anyone
 * between, that shows one payment and asks for the signature of another gets none. @throws DemoFailed
 */
export const signConfirmation = (phone: Phone, pending: Pending): string => {
  const { challenge, nonce, createdAt: _, ...statement } = pending
  if (confirmationChallenge(Buffer.from(nonce, 'base64'), statement) !== challenge) {
    throw new DemoFailed('the challenge does not belong to the payment that is shown, so the phone refuses to sign it')
  }
  return phone.sign(challenge)
}
