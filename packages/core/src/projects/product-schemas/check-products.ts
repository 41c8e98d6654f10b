import { setImmediate } from 'node:timers/promises'
import { type ActiveValidators, createActiveValidators } from '../../shared/schema-registry/active-validators.ts'
import type { GivenProduct, ProductChecker } from '../records/project.ts'
import { ProductAttributesRefused } from './errors.ts'
import type { ProductSchemaStores, ProductSchemaWithText } from './product-schema.ts'

/** The milliseconds of work before other requests get a turn of the event loop. */
const TURN = 10

/**
 * Makes the function that checks products against the newest active schemas of their types. A product takes at most 50 ms. Other
 * requests get a turn between products. The function throws ProductAttributesRefused for the first invalid product.
 */
export function createProductChecker(deps: { readonly storage: ProductSchemaStores }): ProductChecker {
  const activeValidators = createActiveValidators(deps.storage.projects.productSchemas)
  return async (products) => {
    if (products.length === 0) return []
    const validatorOf = await activeValidators()
    const versions: string[] = []
    // This time only decides when other work gets a turn, so it need not come from the clock port.
    let turnBegan = performance.now()
    for (const product of products) {
      versions.push(checkProduct(validatorOf, product))
      if (performance.now() - turnBegan > TURN) {
        await setImmediate()
        turnBegan = performance.now()
      }
    }
    return versions
  }
}

/** Checks a product. Returns the version of its schema. @throws ProductAttributesRefused */
const checkProduct = (
  validatorOf: ActiveValidators<ProductSchemaWithText>,
  { name, productType, attributes }: GivenProduct,
): string => {
  const validator = validatorOf(productType)
  if (validator === undefined) {
    throw new ProductAttributesRefused(name, [{ field: 'productType', message: 'must be a registered product type' }])
  }
  const complaints = validator.validate(attributes)
  if (complaints.length > 0) throw new ProductAttributesRefused(name, complaints)
  return validator.entry.version
}
