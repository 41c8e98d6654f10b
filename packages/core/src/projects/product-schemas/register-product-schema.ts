import { checkedLabel } from '../../identity/users/user-input.ts'
import { Invalid } from '../../shared/errors.ts'
import { text, trueOrFalse } from '../../shared/input-schemas.ts'
import type { CheckedSchema } from '../../shared/json-schema/check-schema.ts'
import { loadSchemaEngine } from '../../shared/json-schema/load-engine.ts'
import type { ProjectDeps } from '../deps.ts'
import { breakingForActive } from './breaking-for-active.ts'
import { ProductSchemaBreaks, ProductSchemasChangedMeanwhile, ProductSchemaTaken } from './errors.ts'
import { checkedProductType, type ProductSchema, type ProductSchemaWithText, productSchemaKey } from './product-schema.ts'
import { isSchemaVersion } from './schema-version.ts'

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

const TRIES = 3

const checkedVersion = (version: string): string => {
  if (!isSchemaVersion(version)) throw new Invalid({ version: 'must have the form major.minor.patch' })
  return version
}

const newEntry = (input: RegisterProductSchema, { schema }: CheckedSchema): Omit<ProductSchemaWithText, 'registeredAt'> => {
  const type = checkedProductType(input.type)
  const version = checkedVersion(input.version)
  const ownTitle = typeof schema.title === 'string' ? schema.title : ''
  const required = schema.required
  return {
    key: productSchemaKey(type, version),
    type,
    version,
    title: checkedLabel('title', input.title ?? ownTitle) || type,
    active: input.active ?? true,
    requiredFields: Array.isArray(required) ? (required as string[]) : [],
    schemaText: JSON.stringify(schema),
  }
}

/**
 * Registers a version of a product type's schema. A registered version never changes. Running servers use the newest active
 * version within a second. The new version is compared with the newest active version, also when it is registered as inactive.
 *
 * @throws Invalid, SchemaRefused, ProductSchemaTaken, ProductSchemaBreaks, ProductSchemasChangedMeanwhile
 */
export const registerProductSchema = async (
  { storage, clock }: Pick<ProjectDeps, 'storage' | 'clock'>,
  input: RegisterProductSchema,
): Promise<ProductSchema> => {
  const engine = await loadSchemaEngine()
  const checked = engine.checkSchema(input.schemaText)
  engine.compileSchema(checked)
  const entry = { ...newEntry(input, checked), registeredAt: clock.now() }

  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const { version, schemas } = await storage.projects.productSchemas.active()
    const { activeVersion, breaking } = breakingForActive(engine, schemas, entry.type, checked)
    const outcome = await storage.transaction(async (tx) => {
      await tx.projects.productSchemas.hold()
      if ((await tx.projects.productSchemas.byKey(entry.key)) !== undefined) return 'taken'
      if ((await tx.projects.productSchemas.registryVersion()) !== version) return 'changed'
      if (breaking.length > 0 && input.allowBreaking !== true) return 'breaks'
      return (await tx.projects.productSchemas.register(entry)) ? 'registered' : 'taken'
    })
    if (outcome === 'taken') throw new ProductSchemaTaken(entry.key)
    if (outcome === 'breaks') throw new ProductSchemaBreaks(activeVersion ?? '', breaking)
    if (outcome === 'registered') {
      const { schemaText: _, ...registered } = entry
      return registered
    }
  }
  throw new ProductSchemasChangedMeanwhile()
}
