import { type Output, type UserVerificationRequirement, userVerificationRequirements } from '@countersign/contract'
import type { IdentityOptions } from '../options.ts'
import type { Challenge } from '../records/challenge.ts'
import type { Passkey } from '../records/passkey.ts'

/** Returns the strictest of the requested levels, `preferred` without any, and the minimum of the host. */
export const userVerificationOf = (
  { leastUserVerification }: Pick<IdentityOptions, 'leastUserVerification'>,
  ...asked: readonly (UserVerificationRequirement | undefined)[]
): UserVerificationRequirement => {
  const given = asked.filter((one) => one !== undefined)
  const wanted = [leastUserVerification, ...(given.length === 0 ? (['preferred'] as const) : given)]
  return userVerificationRequirements.find((one) => wanted.includes(one)) ?? 'required'
}

/** A passkey in the options for a browser (WebAuthn Level 3 §5.8.3). */
export type Descriptor = Output<'passkeys.beginLogin'>['publicKey']['allowCredentials'][number]

/** Returns the descriptor of a passkey. An empty list of transports is left out: both mean that the transports are unknown. */
export const toDescriptor = ({ id, transports }: Pick<Passkey, 'id' | 'transports'>): Descriptor => ({
  type: 'public-key',
  id,
  ...(transports.length > 0 && { transports: [...transports] }),
})

/** Returns a challenge in the encoding of browsers: base64url without padding (WebAuthn Level 3 §5.8.1). */
export const challengeText = ({ challenge }: Pick<Challenge, 'challenge'>): string =>
  Buffer.from(challenge, 'base64').toString('base64url')
