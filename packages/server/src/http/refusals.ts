import { errorDescriptions } from '@countersign/contract'

/** The codes that only the transport can give, in addition to the codes of the core. */
export type WireRefusalCode =
  | 'malformed_request'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'payload_too_large'
  | 'unsupported_media_type'

/** A request that reaches no use case. */
export class WireRefusal extends Error {
  override readonly name = 'WireRefusal'
  readonly code: WireRefusalCode
  /** Response headers in addition to the body. */
  readonly headers: Readonly<Record<string, string>>

  constructor(code: WireRefusalCode, headers: Readonly<Record<string, string>> = {}) {
    super(errorDescriptions[code].message)
    this.code = code
    this.headers = headers
  }
}
