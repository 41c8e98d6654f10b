/** A product as it is given, with attributes that nothing is known of yet. */
export interface GivenProduct {
  readonly name: string
  readonly productType: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/**
 * Checks products against the schema that applies to each one's type, and tells its version for each, in order. Throws
 * where a type is not registered or attributes do not match.
 */
export type ProductChecker = (products: readonly GivenProduct[]) => Promise<readonly string[]>
