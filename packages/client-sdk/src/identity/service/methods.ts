import type { Input, Output } from '@countersign/contract'
import type { CallOptions } from '../../http/call.ts'

/** The types of products, and the JSON Schemas that their attributes must satisfy. */
export interface ProductSchemaMethods {
  /** Lists the registered product schemas. */
  list(input?: Input<'productSchemas.list'>, options?: CallOptions): Promise<Output<'productSchemas.list'>>
  /** Lists the registered versions of one product type. */
  ofType(input: Input<'productSchemas.ofType'>, options?: CallOptions): Promise<Output<'productSchemas.ofType'>>
}

/** For services that are called with tokens of Countersign. */
export interface InternalMethods {
  /** Whether a token is good, now, and what it says: that of `options.token`, else that of the session. */
  verify(input: Input<'internal.verify'>, options?: CallOptions): Promise<Output<'internal.verify'>>
}

/** For whoever watches the service. */
export interface HealthMethods {
  /** Health of the service and of what it stands on. Rejects with status 503 where it is not well; `body` is the report. */
  check(input?: Input<'health.check'>, options?: CallOptions): Promise<Output<'health.check'>>
}

/** What concerns the service itself. */
export interface ServiceMethods {
  readonly productSchemas: ProductSchemaMethods
  readonly internal: InternalMethods
  readonly health: HealthMethods
}
