import { CountersignError } from '../errors/countersign-error.ts'

/** Has the browser make or give a passkey. */
export type Ceremony = <T>(signal: AbortSignal | undefined, run: (signal: AbortSignal) => Promise<T>) => Promise<T>

/**
 * Browsers run one ceremony at a time and refuse a second. Here the newer one ends the older, which is how a login that
 * waits in an autofill list makes way for a button. The older rejects with an `AbortError`.
 */
export const oneAtATime = (): Ceremony => {
  let running: AbortController | undefined
  return async (signal, run) => {
    running?.abort()
    const controller = new AbortController()
    running = controller
    const onAbort = () => controller.abort(signal?.reason)
    if (signal?.aborted) onAbort()
    signal?.addEventListener('abort', onAbort)
    try {
      controller.signal.throwIfAborted()
      return await run(controller.signal)
    } finally {
      signal?.removeEventListener('abort', onAbort)
    }
  }
}

/** @throws CountersignError `UNSUPPORTED` */
export const requirePasskeys = (): void => {
  if (!globalThis.PublicKeyCredential)
    throw new CountersignError('There are no passkeys on this platform', { code: 'UNSUPPORTED' })
}

/**
 * The credential that the browser comes back with.
 *
 * @throws CountersignError `PASSKEY_FAILED`, whose cause is the browser's error: `NotAllowedError` where the person declined
 *   or took too long, `InvalidStateError` where the authenticator has a passkey of this account already
 */
export const credentialOf = async (asked: Promise<Credential | null>, signal: AbortSignal): Promise<PublicKeyCredential> => {
  try {
    return (await asked) as PublicKeyCredential
  } catch (cause) {
    if (signal.aborted) throw cause
    throw new CountersignError('The browser came back without a passkey', { code: 'PASSKEY_FAILED', cause })
  }
}
