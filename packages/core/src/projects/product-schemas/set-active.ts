import { NothingToChange } from '../../shared/errors.ts'
import type { ProjectDeps } from '../deps.ts'
import { ProductSchemaNotFound } from './errors.ts'
import type { ProductSchema } from './product-schema.ts'

/** Activates a registered version; see `setActive`. @throws ProductSchemaNotFound, NothingToChange if it is active already */
export function activateProductSchema(
  deps: Pick<ProjectDeps, 'storage'>,
  input: { readonly key: string },
): Promise<ProductSchema> {
  return setActive(deps, { key: input.key, active: true })
}

/** Deactivates a registered version; see `setActive`. @throws ProductSchemaNotFound, NothingToChange if it is not active */
export function deactivateProductSchema(
  deps: Pick<ProjectDeps, 'storage'>,
  input: { readonly key: string },
): Promise<ProductSchema> {
  return setActive(deps, { key: input.key, active: false })
}

/**
 * Activates or deactivates a registered version. Running servers follow within a second. The version is not compared with the
 * active version here: that happened at its registration, and a way back must always be possible.
 *
 * @throws ProductSchemaNotFound, NothingToChange if the version has this state already
 */
const setActive = async (
  { storage }: Pick<ProjectDeps, 'storage'>,
  { key, active }: { readonly key: string; readonly active: boolean },
): Promise<ProductSchema> => {
  const schema = await storage.transaction(async (tx) => {
    await tx.projects.productSchemas.hold()
    if ((await tx.projects.productSchemas.byKey(key))?.active === active) {
      throw new NothingToChange(`The version is ${active ? 'active already' : 'not active'}`)
    }
    return tx.projects.productSchemas.setActive(key, active)
  })
  if (schema === undefined) throw new ProductSchemaNotFound()
  return schema
}
