import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** The prompts that the user has seen. The user always agrees. */
export const prompts: string[] = []

let privateKey: KeyObject | undefined

/**
 * Behaves like the library: RSA with 2048 bits, the public key as SPKI in base64, PKCS #1 signatures with SHA-256 in base64.
 */
export default class ReactNativeBiometrics {
  async biometricKeysExist() {
    return { keysExist: privateKey !== undefined }
  }

  async createKeys() {
    const made = generateKeyPairSync('rsa', { modulusLength: 2048 })
    privateKey = made.privateKey
    return { publicKey: made.publicKey.export({ type: 'spki', format: 'der' }).toString('base64') }
  }

  async createSignature({ promptMessage, payload }: { readonly promptMessage: string; readonly payload: string }) {
    prompts.push(promptMessage)
    if (privateKey === undefined) return { success: false }
    return { success: true, signature: sign('sha256', Buffer.from(payload), privateKey).toString('base64') }
  }
}
