import type { Checked, Output } from '@countersign/contract'
import { newChallenge } from '../challenges/new-challenge.ts'
import type { Deps } from '../deps.ts'
import { normaliseEmail } from '../users/email.ts'
import { challengeText } from './challenge-text.ts'
import { decoysOf } from './decoys.ts'
import { type Descriptor, toDescriptor } from './descriptor.ts'
import { userVerificationOf } from './user-verification.ts'

interface Offer {
  readonly mayAnswer: number | 'anyone' | 'nobody'
  readonly allowCredentials: readonly Descriptor[]
}

/** Without an email, any passkey that a browser finds may answer. */
const anyone: Offer = { mayAnswer: 'anyone', allowCredentials: [] }

/**
 * The passkeys of the user of this email; or decoys, where the email is unknown, or its user is disabled or has none. The
 * work is the same in each case.
 */
const offerFor = async (
  { storage, users, encryptionKeys }: Pick<Deps, 'storage' | 'users' | 'encryptionKeys'>,
  given: string,
): Promise<Offer> => {
  const email = normaliseEmail(given)
  const user = await users.byEmail(email)
  const passkeys = await storage.passkeys.allOfUser(user?.id ?? 0)
  const decoys = decoysOf(encryptionKeys, email)
  if (user?.id === undefined || user.disabled || passkeys.length === 0) {
    return { mayAnswer: 'nobody', allowCredentials: decoys }
  }
  return { mayAnswer: user.id, allowCredentials: passkeys.map(toDescriptor) }
}

/**
 * Begins a login by passkey: the options with which a browser asks for one (WebAuthn Level 3 §5.5), the user's own where an
 * email is given. Whether the email is known cannot be told from them.
 */
export const beginLogin = async (
  deps: Pick<Deps, 'storage' | 'users' | 'clock' | 'random' | 'encryptionKeys' | 'options'>,
  input: Checked<'passkeys.beginLogin'>,
): Promise<Output<'passkeys.beginLogin'>> => {
  const { storage, clock, options } = deps
  const { mayAnswer, allowCredentials } = input.email === undefined ? anyone : await offerFor(deps, input.email)
  const userVerification = userVerificationOf(options, input.userVerification)
  const subject = { mayAnswer, userVerification }
  const challenge = newChallenge(deps, { purpose: 'passkey_login', userId: null, subject }, clock.now())
  await storage.challenges.issue(challenge)
  return {
    challengeId: challenge.id,
    publicKey: {
      challenge: challengeText(challenge),
      timeout: options.challengeLifetime,
      rpId: options.relyingParty.id,
      allowCredentials: [...allowCredentials],
      userVerification,
    },
  }
}
