import type { Countersign } from '@countersign/core'

/**
 * Returns a warning for each permission that Countersign does not know. They are granted, because other services may use them, but
 * they may be typing errors.
 */
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
    .filter((permission) => !grantsAnything(permission, ofPolicies))
    .map((permission) => `no operation of Countersign asks for ${permission}; it knows ${known}`)
}
