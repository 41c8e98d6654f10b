import type { Challenge } from '../challenges/challenge.ts'

/** A challenge as browsers write it: base64url without padding (WebAuthn Level 3 §5.8.1). */
export const challengeText = ({ challenge }: Pick<Challenge, 'challenge'>): string =>
  Buffer.from(challenge, 'base64').toString('base64url')
