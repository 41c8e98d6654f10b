import { Conflict, Invalid, NotFound } from '../../shared/errors.ts'
import type { BreakingChange } from '../../shared/json-schema/compatibility/breaking-change.ts'
import type { Complaint } from '../../shared/json-schema/complaints.ts'

/** No schema is registered under this key. */
export class ProductSchemaNotFound extends NotFound {
  static readonly code = 'product_schema_not_found'
  override readonly code = ProductSchemaNotFound.code
  constructor() {
    super('Product schema not found')
  }
}

/** This version of the type is registered already. */
export class ProductSchemaTaken extends Conflict {
  static readonly code = 'product_schema_taken'
  override readonly code = ProductSchemaTaken.code
  constructor(key: string) {
    super(`${key} is registered already; a registered version never changes`)
  }
}

/** The new version would refuse what the active one accepts. */
export class ProductSchemaBreaks extends Conflict {
  static readonly code = 'product_schema_breaks'
  override readonly code = ProductSchemaBreaks.code
  readonly breaking: readonly BreakingChange[]

  constructor(activeVersion: string, breaking: readonly BreakingChange[]) {
    const changes = breaking.map(({ field, reason }) => `${field}: ${reason}`).join('; ')
    super(`The schema would refuse what version ${activeVersion} accepts: ${changes}`)
    this.breaking = breaking
  }
}

/** Somebody else changed the registry again and again while this change was decided. It can be tried again. */
export class ProductSchemasChangedMeanwhile extends Conflict {
  static readonly code = 'product_schemas_changed_meanwhile'
  override readonly code = ProductSchemasChangedMeanwhile.code
  constructor() {
    super('The product schemas were changed by somebody else at the same time; try again')
  }
}

/** A product is not what the schema of its type asks for. The message names the product, then each field. */
export class ProductAttributesRefused extends Invalid {
  static readonly code = 'product_attributes_refused'
  override readonly code = ProductAttributesRefused.code

  constructor(productName: string, complaints: readonly Complaint[]) {
    const named = complaints.map(({ field, message }) => ({ field: field === '' ? 'attributes' : field, message }))
    super(Object.fromEntries(named.map(({ field, message }) => [field, message])))
    this.message = `validation failed for product '${productName}': ${named.map(({ field, message }) => `${field}: ${message}`).join('; ')}`
  }
}
