/** Redis did not do what it was asked, or not in time. Never holds what it was asked, nor an address or a password. */
export class RedisFailed extends Error {
  override readonly name = 'RedisFailed'
  /**
   * Why, in one word: the first one of Redis' own refusal (`READONLY`, `OOM`, `NOAUTH`), the code of a system call or of TLS
   * (`ECONNREFUSED`), `TIMEOUT`, or `CLOSED` where the connection broke.
   */
  readonly code: string

  constructor(code: string) {
    super(`Redis failed: ${code}`)
    this.code = code
  }
}

const WORD = /^[A-Z][A-Z0-9_]{1,63}$/

/** The code of what a driver threw. Its message is dropped: it may repeat what was sent. */
export const codeOf = (error: unknown, isReply: boolean): string => {
  if (!(error instanceof Error)) return 'UNKNOWN'
  const word = isReply ? error.message.split(' ', 1)[0] : 'code' in error && error.code
  return typeof word === 'string' && WORD.test(word) ? word : 'CLOSED'
}
