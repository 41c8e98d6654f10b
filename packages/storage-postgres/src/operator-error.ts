import type { UnavailableReason } from '@countersign/core'
import { Unavailable } from '@countersign/core/storage'

/** A failure in our own words. `forOperator` may be shown, unlike texts of the driver, which can contain secrets. */
export class OperatorError extends Error {
  readonly forOperator: string
  readonly reason: UnavailableReason

  constructor(forOperator: string, options: ErrorOptions & { readonly reason?: UnavailableReason } = {}) {
    super(forOperator, options)
    this.forOperator = forOperator
    this.reason = options.reason ?? 'database_unreachable'
  }
}

/** @throws Unavailable with a sentence for the operator */
export const refuse = (forOperator: string, reason: UnavailableReason): never => {
  throw new Unavailable(undefined, { cause: new OperatorError(forOperator, { reason }), reason })
}
