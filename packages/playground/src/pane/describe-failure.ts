import { CountersignError } from '@countersign/client-sdk'

const nothingSigned = 'Nothing was signed: it was cancelled, it took too long, or no authenticator here could do it.'

/** What the browser's refusals mean to a person, by the name of the exception (WebAuthn L3 §5.1.3, §5.1.4). */
const ofTheBrowser: Readonly<Record<string, string>> = {
  NotAllowedError: nothingSigned,
  TimeoutError: nothingSigned,
  InvalidStateError: 'This authenticator holds a passkey of this account already.',
  SecurityError: 'Passkeys of this service cannot be used at this address.',
  NotSupportedError: 'No authenticator here supports what was asked for.',
  ConstraintError: 'The authenticator cannot do what was asked for, such as verifying who you are or keeping the passkey itself.',
}

/** A failure in words: the service's where it refused, ours where the browser did. */
export const describeFailure = (error: unknown): string => {
  if (error instanceof CountersignError) {
    if (error.status === undefined) return `${error.message}.`
    const wait = error.retryAfter === undefined ? '' : ` Try again in ${error.retryAfter} s.`
    return `${error.message} (${error.status}).${wait}`
  }
  if (error instanceof DOMException) return ofTheBrowser[error.name] ?? error.message
  return error instanceof Error ? error.message : String(error)
}
