import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** What the person was asked, who always agrees. */
export const prompts: string[] = []

let privateKey: KeyObject | undefined

/** As the library has it: RSA with 2048 bits, the public half as SPKI in base64, PKCS #1 signatures with SHA-256 in base64. */
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
