import { errorOf } from '../../shared/errors.ts'
import type { BreakingChange } from '../../shared/json-schema/compatibility/breaking-changes.ts'
import type { Complaint } from '../../shared/json-schema/complaints.ts'

/** No schema is registered with this key. */
export class ProductSchemaNotFound extends errorOf('product_schema_not_found') {}

/** The version is already registered. */
export class ProductSchemaTaken extends errorOf('product_schema_taken') {}

/** The new version refuses values that the active version accepts. */
export class ProductSchemaBreaks extends errorOf('product_schema_breaks') {
  readonly breaking: readonly BreakingChange[]

  constructor(message: string, breaking: readonly BreakingChange[]) {
    super(message)
    this.breaking = breaking
  }
}

/** Other processes changed the registry at the same time. The caller can try again. */
export class ProductSchemasChangedMeanwhile extends errorOf('product_schemas_changed_meanwhile') {}

/** A product is invalid under the schema of its type. The message names the product and each field. */
export class ProductAttributesRefused extends errorOf('product_attributes_refused') {
  constructor(productName: string, complaints: readonly Complaint[]) {
    const named = complaints.map(({ field, message }) => ({ field: field === '' ? 'attributes' : field, message }))
    super(Object.fromEntries(named.map(({ field, message }) => [field, message])))
    this.message = `validation failed for product '${productName}': ${named.map(({ field, message }) => `${field}: ${message}`).join('; ')}`
  }
}
