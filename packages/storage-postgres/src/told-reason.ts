/**
 * Why a database cannot be used, in a sentence of our own, which has no part of the URL in it that is secret. Whoever tells an
 * operator of a failure may tell them `forOperator`, wherever in a chain of causes it stands; texts of the driver they may not.
 */
export class ToldReason extends Error {
  readonly forOperator: string

  constructor(forOperator: string, options?: ErrorOptions) {
    super(forOperator, options)
    this.forOperator = forOperator
  }
}
