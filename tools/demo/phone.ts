import { webcrypto } from 'node:crypto'
import { type DeviceSigner, keyPairSigner } from '@countersign/client-sdk'
import { tellMembers, tellNote } from './print.ts'

const what = {
  register: 'The phone signs the challenge with its private key (ECDSA on P-256).',
  login: 'The phone signs the challenge. Its app may ask for a finger or a face first.',
  approve: 'The phone computes the challenge again from its screen, compares it with the received challenge, and signs it.',
} as const

/** Returns a signer with a new key, which prints nothing. */
export const createSigner = async (): Promise<DeviceSigner> => {
  const keyPair = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])
  return keyPairSigner({ deviceFingerprint: `demo-${webcrypto.randomUUID()}`, keyPair })
}

/** Returns a signer that prints what it signs. A real phone has secure hardware, and may ask for a finger or a face. */
export const createPhone = async (): Promise<DeviceSigner> => {
  const signer = await createSigner()
  return {
    ...signer,
    sign: (challenge, purpose) => {
      tellMembers([['challenge', challenge]])
      tellNote(what[purpose.action])
      return signer.sign(challenge, purpose)
    },
  }
}
