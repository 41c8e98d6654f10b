import { CountersignError } from '../../shared/errors/countersign-error.ts'
import { unsupported } from '../../shared/platform.ts'

/** Checks that the platform has passkeys. @throws CountersignError `UNSUPPORTED` */
export const requirePasskeys = (): void => {
  if (!globalThis.PublicKeyCredential) throw unsupported('passkeys')
}

/** Resolves with the credential of the browser. @throws CountersignError `PASSKEY_FAILED`; its cause is the browser's error */
export const credentialOf = async (ask: () => Promise<Credential | null>, signal: AbortSignal): Promise<PublicKeyCredential> => {
  try {
    return (await ask()) as PublicKeyCredential
  } catch (cause) {
    if (signal.aborted) throw cause
    throw new CountersignError('The browser gave no passkey', { code: 'PASSKEY_FAILED', cause })
  }
}
