import { webcrypto } from 'node:crypto'
import { type DeviceSigner, keyPairSigner } from '@countersign/client-sdk'
import { tellMembers, tellNote } from './tell.ts'

const what = {
  register: 'The phone signs the challenge with its private key (ECDSA on P-256).',
  login: 'The phone signs the challenge, once a finger or a face has unlocked the key.',
  approve: 'The challenge, computed again from what is on the screen, is the one that was sent: the phone signs it.',
} as const

/**
 * A phone as the demonstration needs one: a key that never leaves it, and tells what it signs. On a real one the key stands
 * in secure hardware, and each signature asks for a finger or a face.
 */
export const createPhone = async (): Promise<DeviceSigner> => {
  const keyPair = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])
  const signer = keyPairSigner({ deviceFingerprint: `demo-${webcrypto.randomUUID()}`, keyPair })
  return {
    ...signer,
    sign: (challenge, purpose) => {
      tellMembers([['challenge', challenge]])
      tellNote(what[purpose.action])
      return signer.sign(challenge, purpose)
    },
  }
}
