import type { ProjectDeps } from '../deps.ts'
import { ProductSchemaNotFound } from './errors.ts'
import type { ProductSchema } from './product-schema.ts'

/**
 * Lets a registered version apply, or takes it out of use; running servers follow within a second. What then applies is
 * not compared with what applied: that was done when it was registered, and going back must always be possible.
 *
 * @throws ProductSchemaNotFound
 */
const setActive = async (
  { storage }: Pick<ProjectDeps, 'storage'>,
  { key, active }: { readonly key: string; readonly active: boolean },
): Promise<ProductSchema> => {
  const schema = await storage.transaction(async (tx) => {
    await tx.projects.productSchemas.hold()
    return tx.projects.productSchemas.setActive(key, active)
  })
  if (schema === undefined) throw new ProductSchemaNotFound()
  return schema
}

export const activateProductSchema = (
  deps: Pick<ProjectDeps, 'storage'>,
  input: { readonly key: string },
): Promise<ProductSchema> => setActive(deps, { key: input.key, active: true })

export const deactivateProductSchema = (
  deps: Pick<ProjectDeps, 'storage'>,
  input: { readonly key: string },
): Promise<ProductSchema> => setActive(deps, { key: input.key, active: false })
