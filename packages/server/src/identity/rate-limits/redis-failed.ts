/** A command to Redis failed or took too long. The error never contains the command, an address or a password. */
export class RedisFailed extends Error {
  override readonly name = 'RedisFailed'
  /** The reason in one word: that of an error reply (`OOM`), a code of the system or TLS, `TIMEOUT`, or `CLOSED`. */
  readonly code: string

  constructor(code: string) {
    super(`Redis failed: ${code}`)
    this.code = code
  }
}

const WORD = /^[A-Z][A-Z0-9_]{1,63}$/

/** Returns the code for an error of the driver. The message of the error is dropped, because the message may repeat the command. */
export const codeOf = (error: unknown, isReply: boolean): string => {
  if (!(error instanceof Error)) return 'UNKNOWN'
  const word = isReply ? error.message.split(' ', 1)[0] : 'code' in error && error.code
  return typeof word === 'string' && WORD.test(word) ? word : 'CLOSED'
}
