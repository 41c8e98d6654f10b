import type { Challenge } from '../challenges/challenge.ts'

/** Returns a challenge in the encoding of browsers: base64url without padding (WebAuthn Level 3 §5.8.1). */
export const challengeText = ({ challenge }: Pick<Challenge, 'challenge'>): string =>
  Buffer.from(challenge, 'base64').toString('base64url')
