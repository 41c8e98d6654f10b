import { setImmediate } from 'node:timers/promises'
import type { ProjectDeps } from '../deps.ts'
import type { GivenProduct, ProductChecker } from '../projects/product-checker.ts'
import { type ActiveValidators, createActiveValidators } from './active-validators.ts'
import { ProductAttributesRefused } from './errors.ts'

/** After so many milliseconds of work other requests get their turn. */
const TURN = 10

/** The version of the schema that the product is valid under. @throws ProductAttributesRefused */
const checkProduct = (validatorOf: ActiveValidators, { name, productType, attributes }: GivenProduct): string => {
  const validator = validatorOf(productType)
  if (validator === undefined) {
    throw new ProductAttributesRefused(name, [{ field: 'productType', message: 'must be a registered product type' }])
  }
  const complaints = validator.validate(attributes)
  if (complaints.length > 0) throw new ProductAttributesRefused(name, complaints)
  return validator.version
}

/**
 * Makes the check of products against the newest active schema of each one's type. A product takes at most 50 ms, and
 * between many of them other work gets its turn. @throws ProductAttributesRefused for the first that is not valid
 */
export const createProductChecker = (deps: Pick<ProjectDeps, 'storage'>): ProductChecker => {
  const activeValidators = createActiveValidators(deps)
  return async (products) => {
    if (products.length === 0) return []
    const validatorOf = await activeValidators()
    const versions: string[] = []
    // Says only who runs when: no rule hangs on this time.
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
