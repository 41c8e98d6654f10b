import { type UserVerificationRequirement, userVerificationRequirements } from '@countersign/contract'
import type { IdentityOptions } from '../options.ts'

/**
 * Returns the strictest of the requested levels and the minimum of the host. Returns at least `preferred` if no level is
 * requested.
 */
export const userVerificationOf = (
  { leastUserVerification }: Pick<IdentityOptions, 'leastUserVerification'>,
  ...asked: readonly (UserVerificationRequirement | undefined)[]
): UserVerificationRequirement => {
  const given = asked.filter((one) => one !== undefined)
  const wanted = [leastUserVerification, ...(given.length === 0 ? (['preferred'] as const) : given)]
  return userVerificationRequirements.find((one) => wanted.includes(one)) ?? 'required'
}
