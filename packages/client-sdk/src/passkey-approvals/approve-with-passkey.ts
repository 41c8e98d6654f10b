import type { Input, Output } from '@countersign/contract'
import type { ApproveOptions } from '../approvals/approve-confirmation.ts'
import { confirmationChallenge } from '../approvals/confirmation-challenge.ts'
import type { Client } from '../client.ts'
import type { CallOptions } from '../http/call.ts'
import type { PendingConfirmation } from '../identity/devices/device-signer.ts'
import { credentialOf, requirePasskeys } from '../identity/passkeys/ask-browser.ts'
import { oneAtATime } from '../identity/passkeys/ceremony.ts'
import { fromAsserted } from '../identity/passkeys/credential-json.ts'
import { claimsOf } from '../session/claims.ts'
import { type Bytes, fromBase64, utf8 } from '../shared/encoding/bytes.ts'
import { CountersignError } from '../shared/errors/countersign-error.ts'
import { webCrypto } from '../shared/platform.ts'
import { within } from '../shared/time/deadline.ts'
import type { Milliseconds } from '../shared/time/units.ts'

/** The options of a signature by a passkey. */
export interface SignWithPasskey extends CallOptions {
  /** The domain of the passkeys (`COUNTERSIGN_RP_ID`). By default the service is asked. */
  readonly rpId?: string
}

/** The options of an approval by a passkey. */
export interface ApproveWithPasskey extends SignWithPasskey, ApproveOptions {}

/** A confirmation that a passkey signed, as `client.confirmations.sendApproval` sends it. */
export type SignedByPasskey = Extract<Input<'confirmations.verify'>, { credentialId: string }>

/** Separates an approval from a login: neither assertion passes as the other. */
const DOMAIN = 'countersign.passkey-approval.v1'
const DEFAULT_TIMEOUT: Milliseconds = 30_000

const ceremony = /* @__PURE__ */ oneAtATime()

const digest = (algorithm: string) => (bytes: Bytes) => webCrypto().digest(algorithm, bytes)

/** Has the browser sign, and does something with the signature within the same time limit. */
const signAnd = async <T>(
  client: Client,
  confirmation: PendingConfirmation,
  { rpId: given, token, signal, timeout = DEFAULT_TIMEOUT }: SignWithPasskey,
  use: (signed: SignedByPasskey, step: CallOptions) => T | Promise<T>,
): Promise<T> => {
  requirePasskeys()
  return ceremony(signal, (newest) =>
    within(timeout, newest, async (stop, uncounted) => {
      const step = { signal: stop, timeout: Infinity, ...(token === undefined ? {} : { token }) }
      const { confirmationId } = confirmation
      const { id } = claimsOf(token ?? (await client.accessToken(step)) ?? '')
      const challenge = await confirmationChallenge(digest('SHA-512'), confirmation, id)
      const [rpId, { credentials }] = await Promise.all([
        given ?? client.passkeys.beginLogin({}, step).then(({ publicKey }) => publicKey.rpId),
        client.passkeys.list({}, step),
      ])
      const trusted = credentials.filter((one) => one.trusted)
      if (trusted.length === 0) {
        throw new CountersignError('This user has no trusted passkey that could approve', { code: 'NO_TRUSTED_PASSKEY' })
      }
      const own = new Uint8Array([...utf8(`${DOMAIN}\0`), ...fromBase64(challenge)])
      const publicKey: PublicKeyCredentialRequestOptions = {
        challenge: await digest('SHA-256')(own),
        rpId,
        allowCredentials: trusted.map((one) => ({
          type: 'public-key',
          id: fromBase64(one.id),
          transports: one.transports as AuthenticatorTransport[],
        })),
        userVerification: 'required',
      }
      const ask = () => navigator.credentials.get({ publicKey, signal: stop })
      const { id: credentialId, response } = fromAsserted(await uncounted(() => credentialOf(ask, stop)))
      const { authenticatorData, clientDataJSON, signature } = response
      return use({ confirmationId, credentialId, authenticatorData, clientDataJSON, signature }, step)
    }),
  )
}

/**
 * Has the browser sign a confirmation with a trusted passkey, which verifies the user, and approves with the signature. Show the
 * person the same object that you pass here. Needs a session of the user, and `COUNTERSIGN_PASSKEY_APPROVALS=on`. If the
 * confirmation says `numberMatching`, pass the number that the person types as `matchNumber`. Call it at a click, because browsers
 * ask for one.
 * @throws CountersignError `CHALLENGE_MISMATCH` if the challenge does not belong to the action shown; nothing is signed
 * @throws CountersignError `NO_TRUSTED_PASSKEY`, `PASSKEY_FAILED`, `UNSUPPORTED`
 */
export const approveWithPasskey = (
  client: Client,
  confirmation: PendingConfirmation,
  options: ApproveWithPasskey = {},
): Promise<Output<'confirmations.verify'>> => {
  const number = options.matchNumber && { matchNumber: options.matchNumber }
  return signAnd(client, confirmation, options, (signed, step) =>
    client.confirmations.sendApproval({ ...signed, ...number }, step),
  )
}

/**
 * Has the browser sign as `approveWithPasskey` does, and sends nothing. A page that keeps the result can send the same signature
 * again after a lost connection: `client.confirmations.sendApproval({ ...signed, matchNumber })`.
 * @throws CountersignError as `approveWithPasskey` does
 */
export const signWithPasskey = (
  client: Client,
  confirmation: PendingConfirmation,
  options: SignWithPasskey = {},
): Promise<SignedByPasskey> => signAnd(client, confirmation, options, (signed) => signed)
