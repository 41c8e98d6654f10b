import { type UserVerificationRequirement, userVerificationRequirements } from '@countersign/contract'
import type { IdentityOptions } from '../options.ts'

/** The strictest of what is asked, and never less than the host's least; `preferred` where nothing is asked. */
export const userVerificationOf = (
  { leastUserVerification }: Pick<IdentityOptions, 'leastUserVerification'>,
  ...asked: readonly (UserVerificationRequirement | undefined)[]
): UserVerificationRequirement => {
  const given = asked.filter((one) => one !== undefined)
  const wanted = [leastUserVerification, ...(given.length === 0 ? (['preferred'] as const) : given)]
  return userVerificationRequirements.find((one) => wanted.includes(one)) ?? 'required'
}
