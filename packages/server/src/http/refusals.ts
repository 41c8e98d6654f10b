/** The refusals that only the transport can give, in addition to the error kinds of the core. */
export type WireRefusalKind =
  | 'unreadable'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'payload_too_large'
  | 'unsupported_media_type'

const messages: Readonly<Record<WireRefusalKind, string>> = {
  unreadable: 'Bad Request',
  route_not_found: 'Not found',
  method_not_allowed: 'Method not allowed',
  payload_too_large: 'Request body too large',
  unsupported_media_type: 'Request body must be application/json',
}

/** A request that reaches no use case. */
export class WireRefusal extends Error {
  override readonly name = 'WireRefusal'
  readonly kind: WireRefusalKind
  /** Response headers in addition to the body. */
  readonly headers: Readonly<Record<string, string>>

  constructor(kind: WireRefusalKind, headers: Readonly<Record<string, string>> = {}) {
    super(messages[kind])
    this.kind = kind
    this.headers = headers
  }
}
