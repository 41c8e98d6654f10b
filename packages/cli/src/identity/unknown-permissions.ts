import type { Countersign } from '@countersign/core'

/** The permission that grants nothing, and makes a user a member of a tenant for the services of that tenant. */
const MEMBER = 'tenant.member@'

/** Returns a warning for each permission that is unknown here: another service may use it, or it is a typing error. */
export const unknownPermissions = async (
  { actionPolicies }: Pick<Countersign, 'actionPolicies'>,
  permissions: Iterable<string>,
): Promise<readonly string[]> => {
  const { grantsAnything, groupsOf, knownPermissions } = await import('@countersign/core')
  const ofPolicies = (await actionPolicies.list()).flatMap(({ bands }) =>
    bands.flatMap((band) => groupsOf(band).map(({ permission }) => permission)),
  )
  const known = [...new Set([...knownPermissions, ...ofPolicies])].join(', ')
  return [...permissions]
    .filter((permission) => !permission.startsWith(MEMBER) && !grantsAnything(permission, ofPolicies))
    .map((permission) => `no operation of Countersign asks for ${permission}; it knows ${known}`)
}
