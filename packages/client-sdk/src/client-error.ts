/** A refusal by the service, as its answer tells of it. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  /** The HTTP status. */
  readonly status: number
  /** Seconds after which to try again, where the service says so. */
  readonly retryAfter: number | undefined
  /** The answer's body, as it came. */
  readonly body: unknown

  constructor(
    message: string,
    answer: { readonly status: number; readonly retryAfter: number | undefined; readonly body: unknown },
  ) {
    super(message)
    this.status = answer.status
    this.retryAfter = answer.retryAfter
    this.body = answer.body
  }
}
