import { CountersignError } from '../../shared/errors/countersign-error.ts'

/** @throws CountersignError `UNSUPPORTED` */
export const requirePasskeys = (): void => {
  if (!globalThis.PublicKeyCredential) throw new CountersignError('This platform has no passkeys', { code: 'UNSUPPORTED' })
}

/**
 * The credential that the browser comes back with.
 *
 * @throws CountersignError `PASSKEY_FAILED`, whose cause is the browser's error: `NotAllowedError` where the person declined
 *   or took too long, `InvalidStateError` where the authenticator has a passkey of this account already
 */
export const credentialOf = async (ask: () => Promise<Credential | null>, signal: AbortSignal): Promise<PublicKeyCredential> => {
  try {
    return (await ask()) as PublicKeyCredential
  } catch (cause) {
    if (signal.aborted) throw cause
    throw new CountersignError('The browser gave no passkey', { code: 'PASSKEY_FAILED', cause })
  }
}
