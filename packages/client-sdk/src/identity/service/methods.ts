import type { Method, MethodWithoutInput } from '../../http/method.ts'

/** The types of products, and the JSON Schemas for their attributes. */
export interface ProductSchemaMethods {
  /** Lists the registered product schemas. */
  readonly list: MethodWithoutInput<'productSchemas.list'>
  /** Lists the registered versions of one product type. */
  readonly ofType: Method<'productSchemas.ofType'>
}

/** Methods for services that receive tokens of Countersign. */
export interface InternalMethods {
  /** Checks a token against the live sessions, and returns its claims: the token of `options.token`, else of the session. */
  readonly verify: Method<'internal.verify'>
}

/** Methods for monitoring. */
export interface HealthMethods {
  /** Reports the health of the service and of its database. An unhealthy service rejects with 503; `body` is the report. */
  readonly check: MethodWithoutInput<'health.check'>
  /** Reports that the process answers requests. */
  readonly live: MethodWithoutInput<'health.live'>
  /** Reports whether the server takes requests and its database takes writes. An unready server rejects with 503. */
  readonly ready: MethodWithoutInput<'health.ready'>
}

/** Methods that concern the service itself. */
export interface ServiceMethods {
  readonly productSchemas: ProductSchemaMethods
  readonly internal: InternalMethods
  readonly health: HealthMethods
}
