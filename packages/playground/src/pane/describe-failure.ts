import { CountersignError } from '@countersign/client-sdk'

const nothingSigned = 'Nothing was signed: the request was cancelled, it took too long, or no authenticator here could sign.'

/** Explanations for errors of the browser, by the name of the exception (WebAuthn L3 §5.1.3, §5.1.4). */
const ofTheBrowser: Readonly<Record<string, string>> = {
  NotAllowedError: nothingSigned,
  TimeoutError: nothingSigned,
  InvalidStateError: 'This authenticator holds a passkey of this account already.',
  SecurityError: 'Passkeys of this service cannot be used at this address.',
  NotSupportedError: 'No authenticator here supports the request.',
  ConstraintError: 'The authenticator cannot fulfil the request, for example verify who you are or store the passkey itself.',
}

const withoutPasskeys = (): string =>
  isSecureContext
    ? 'This browser has no passkeys, or they are turned off in its settings.'
    : 'Browsers offer passkeys only over HTTPS and at localhost.'

/** Describes a failure in words: the message of the service, or an explanation of the browser's error. */
export const describeFailure = (error: unknown): string => {
  if (error instanceof CountersignError) {
    if (error.code === 'PASSKEY_FAILED') return describeFailure(error.cause)
    if (error.code === 'UNSUPPORTED') return withoutPasskeys()
    if (error.status === undefined) return `${error.message}.`
    const wait = error.retryAfter === undefined ? '' : ` Try again in ${error.retryAfter} s.`
    return `${error.message} (${error.status}).${wait}`
  }
  if (error instanceof DOMException) return ofTheBrowser[error.name] ?? error.message
  return error instanceof Error ? error.message : String(error)
}
