/** A product of an input, whose attributes are not checked yet. */
export interface GivenProduct {
  readonly name: string
  readonly productType: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/**
 * Checks each product against the active schema of its type. Returns the version of the schema for each product, in order. Throws
 * if a type is not registered, or attributes are invalid.
 */
export type ProductChecker = (products: readonly GivenProduct[]) => Promise<readonly string[]>
