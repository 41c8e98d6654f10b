import type { Checked, Output } from '@countersign/contract'
import { newChallenge } from '../challenges/new-challenge.ts'
import type { IdentityDeps } from '../deps.ts'
import { coseAlgorithms } from '../records/passkey.ts'
import { normaliseEmail } from '../user-model/email.ts'
import { challengeText, toDescriptor, userVerificationOf } from './ceremony-options.ts'
import { decoysOf, type ListedPasskey } from './decoys.ts'

interface Offer {
  readonly mayAnswer: number | 'anyone' | 'nobody'
  readonly listed: readonly ListedPasskey[]
}

/** The offer for a login without an email: any discoverable passkey may answer. */
const anyone: Offer = { mayAnswer: 'anyone', listed: [] }

/**
 * Begins a passkey login, and returns the options for the browser (WebAuthn Level 3 §5.5). With an email, they list the passkeys
 * of the user, or decoys; with `passkeyLists: false`, nothing. @throws Invalid
 * @example const { challengeId, publicKey } = await countersign.passkeys.beginLogin({ email })
 */
export async function beginLogin(
  deps: IdentityDeps,
  input: Checked<'passkeys.beginLogin'>,
): Promise<Output<'passkeys.beginLogin'>> {
  const { storage, clock, options } = deps
  const now = clock.now()
  const { mayAnswer, listed } = input.email === undefined ? anyone : await offerFor(deps, input.email)
  const userVerification = userVerificationOf(options, input.userVerification)
  const rs256 = listed.filter(({ algorithm }) => algorithm === coseAlgorithms.RS256).map(({ id }) => id)
  const subject = { mayAnswer, rs256, userVerification }
  const challenge = newChallenge(deps, { purpose: 'passkey_login', userId: null, subject }, now)
  await storage.challenges.issue(challenge)
  return {
    challengeId: challenge.id,
    publicKey: {
      challenge: challengeText(challenge),
      timeout: options.challengeLifetime,
      rpId: options.relyingParty.id,
      allowCredentials: listed.map(toDescriptor),
      userVerification,
    },
  }
}

/** Returns the passkeys of the user with this email, or decoys if nobody can log in with it, after the same work. */
const offerFor = async ({ storage, users, digestKey, options }: IdentityDeps, given: string): Promise<Offer> => {
  const email = normaliseEmail(given)
  const [user, key] = await Promise.all([users.byEmail(email), digestKey('passkeys/decoys')])
  const passkeys = await storage.passkeys.allOfUser(user?.id ?? 0)
  const decoys = decoysOf({ key, most: options.passkeysPerUser }, email)
  const isKnown = user?.id !== undefined && user.barred === undefined && passkeys.length > 0
  const offer: Offer = isKnown ? { mayAnswer: user.id, listed: passkeys } : { mayAnswer: 'nobody', listed: decoys }
  return options.passkeyLists ? offer : { ...offer, listed: [] }
}
