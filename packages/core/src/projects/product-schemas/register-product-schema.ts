import { checkedLabel } from '../../identity/users/user-input.ts'
import { text, trueOrFalse } from '../../shared/input-schemas.ts'
import type { SchemaNotes } from '../../shared/json-schema/check-new-schema.ts'
import type { CheckedSchema } from '../../shared/json-schema/check-schema.ts'
import { loadSchemaEngine } from '../../shared/json-schema/load-engine.ts'
import { registerVersion } from '../../shared/schema-registry/register-version.ts'
import { checkedType, checkedVersion, requiredFieldsOf } from '../../shared/schema-registry/schema-entry.ts'
import type { ProjectDeps } from '../deps.ts'
import { ProductSchemaBreaks, ProductSchemasChangedMeanwhile, ProductSchemaTaken } from './errors.ts'
import { type ProductSchema, type ProductSchemaWithText, productSchemaKey } from './product-schema.ts'
import type { ProductSchemaStore } from './store.ts'

/** A new version of a product type's schema. */
export interface RegisterProductSchema {
  /** `[a-z][a-z0-9_-]{0,63}` */
  readonly type: string
  /** `major.minor.patch` */
  readonly version: string
  /** The JSON text of a draft-07 schema. */
  readonly schemaText: string
  /** The title of the schema by default, or the type. */
  readonly title?: string | undefined
  /** `true` by default. */
  readonly active?: boolean | undefined
  /** Allows a version that refuses values which the active version accepts. `false` by default. */
  readonly allowBreaking?: boolean | undefined
}

/** The schemas of the fields of `RegisterProductSchema`. */
export const registerProductSchemaShape = {
  type: text,
  version: text,
  schemaText: text,
  title: text.optional(),
  active: trueOrFalse.optional(),
  allowBreaking: trueOrFalse.optional(),
}

/**
 * Registers a version of a product type's schema. A registered version never changes. Running servers use the newest active
 * version within a second. The new version is compared with the newest active version, also when it is registered as inactive.
 *
 * @throws Invalid, SchemaRefused, ProductSchemaTaken, ProductSchemaBreaks, ProductSchemasChangedMeanwhile
 */
export async function registerProductSchema(
  { storage, clock }: Pick<ProjectDeps, 'storage' | 'clock'>,
  input: RegisterProductSchema,
): Promise<ProductSchema & SchemaNotes> {
  const engine = await loadSchemaEngine()
  const checked = engine.checkNewSchema(input.schemaText)
  engine.compileSchema(checked)
  const entry = { ...newEntry(input, checked), registeredAt: clock.now() }

  const access = {
    registry: storage.projects.productSchemas,
    transaction: <R>(work: (registry: ProductSchemaStore) => Promise<R>) =>
      storage.transaction((tx) => work(tx.projects.productSchemas)),
  }
  const done = await registerVersion(access, { engine, checked, entry, allowBreaking: input.allowBreaking === true })
  if (done.outcome === 'taken') throw new ProductSchemaTaken(entry.key)
  if (done.outcome === 'breaks') throw new ProductSchemaBreaks(done.activeVersion, done.breaking)
  if (done.outcome === 'changed_meanwhile') throw new ProductSchemasChangedMeanwhile()
  const { schemaText: _, ...registered } = entry
  return { ...registered, uncheckedFormats: checked.uncheckedFormats }
}

const newEntry = (
  input: RegisterProductSchema,
  { schema, text: schemaText }: CheckedSchema,
): Omit<ProductSchemaWithText, 'registeredAt'> => {
  const type = checkedType(input.type)
  const version = checkedVersion(input.version)
  const ownTitle = typeof schema.title === 'string' ? schema.title : ''
  return {
    key: productSchemaKey(type, version),
    type,
    version,
    title: checkedLabel('title', input.title ?? ownTitle) || type,
    active: input.active ?? true,
    requiredFields: requiredFieldsOf(schema),
    schemaText,
  }
}
