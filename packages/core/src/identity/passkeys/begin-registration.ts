import { type Checked, type Output, passkeyAlgorithms } from '@countersign/contract'
import { toBase64Url } from '../../shared/crypto/base64.ts'
import type { Caller } from '../authentication/caller.ts'
import { newChallenge } from '../challenges/new-challenge.ts'
import type { IdentityDeps } from '../deps.ts'
import { checkGivenCode } from '../one-time-codes/enrolment-code.ts'
import { isSameBound } from '../records/bound.ts'
import { isTrusted } from '../records/trust.ts'
import { refusedRegistration } from '../refusals.ts'
import { boundOfCaller, holdSession, type InSession } from '../sessions/bound-of-caller.ts'
import { challengeText, toDescriptor, userVerificationOf } from './ceremony-options.ts'
import { TooManyPasskeys } from './errors.ts'

const HANDLE_BYTES = 64

/**
 * Begins the registration of a passkey, and returns the options for the browser (WebAuthn Level 3 §5.4). A discoverable passkey is
 * preferred, and required with `passkeyLists: false`. With an enrolment code, the passkey will be trusted, and may replace one on
 * probation.
 * @throws Invalid, TooManyPasskeys, InvalidAccessToken
 * @example const { challengeId, publicKey } = await countersign.passkeys.beginRegistration({ caller })
 */
export async function beginRegistration(
  deps: IdentityDeps,
  input: Checked<'passkeys.beginRegistration'> & InSession & { readonly caller: Pick<Caller, 'email'> },
): Promise<Output<'passkeys.beginRegistration'>> {
  const { storage, clock, random, options } = deps
  const { caller, authenticatorSelection: selection = {} } = input
  const now = clock.now()
  const code = await checkGivenCode(deps, { userId: caller.userId, code: input.enrolmentCode })
  const tenants = code.enrolmentCodeHash === undefined ? await boundOfCaller(deps, caller) : null
  const passkeys = (await storage.passkeys.allOfUser(caller.userId)).filter((one) => isSameBound(one.tenants, tenants))
  const limit = options.passkeysPerUser
  if (passkeys.length >= limit) {
    throw refusedRegistration(deps, 'too_many', { kind: 'passkey', userId: caller.userId }, new TooManyPasskeys(limit))
  }
  const user = await storage.users.byId(caller.userId)

  const freshHandle = toBase64Url(random.bytes(HANDLE_BYTES))
  const userVerification = userVerificationOf(options, input.userVerification, selection.userVerification)
  const { challenge, userHandle } = await storage.transaction(async (tx) => {
    await holdSession(tx, caller)
    const userHandle = await tx.passkeys.userHandle(caller.userId, freshHandle, tenants)
    const subject = { userHandle, userVerification, ...code }
    const challenge = newChallenge(deps, { purpose: 'passkey_registration', userId: caller.userId, subject }, now)
    await tx.challenges.issue(challenge)
    return { challenge, userHandle }
  })

  const { id, name } = options.relyingParty
  const asked = selection.residentKey ?? (selection.requireResidentKey ? 'required' : 'preferred')
  const residentKey = options.passkeyLists ? asked : 'required'
  const { authenticatorAttachment } = selection
  // With a code, the person may make a passkey on probation anew on the same authenticator.
  const excluded = passkeys.filter((one) => code.enrolmentCodeHash === undefined || isTrusted(one, now))
  return {
    challengeId: challenge.id,
    publicKey: {
      rp: { id, name },
      user: { id: userHandle, name: caller.email, displayName: user?.name || caller.email },
      challenge: challengeText(challenge),
      pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ type: 'public-key', alg })),
      timeout: options.challengeLifetime,
      excludeCredentials: excluded.map(toDescriptor),
      authenticatorSelection: {
        residentKey,
        requireResidentKey: residentKey === 'required',
        userVerification,
        ...(authenticatorAttachment !== undefined && { authenticatorAttachment }),
      },
      attestation: 'none',
      extensions: { credProps: true },
    },
  }
}
