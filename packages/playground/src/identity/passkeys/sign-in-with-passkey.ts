import type { Input } from '@countersign/contract'
import { pane } from '../../pane/pane.ts'
import { requirePasskeys } from './require-passkeys.ts'

type Asserted = Input<'passkeys.finishLogin'>['credential']

interface SignIn {
  /** The user's e-mail. Without it, the person can choose any stored passkey of this service. */
  readonly email?: string
  /** `conditional`: the browser offers the passkeys in the suggestions of a text field. */
  readonly mediation?: 'conditional'
  readonly signal?: AbortSignal
}

/** A signed assertion that the service has not checked yet. */
export interface Assertion {
  readonly challengeId: string
  readonly credential: Asserted
}

/** Gets an assertion from an authenticator (WebAuthn L3 §5.1.4). */
export const askForAssertion = async ({ email, mediation, signal }: SignIn): Promise<Assertion> => {
  requirePasskeys()
  const { challengeId, publicKey } = await pane.client.passkeys.beginLogin(email === undefined ? {} : { email })
  const asserted = (await navigator.credentials.get({
    publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey as PublicKeyCredentialRequestOptionsJSON),
    // The service refuses an assertion after the end of the challenge, so the offer ends before.
    signal: AbortSignal.any([...(signal === undefined ? [] : [signal]), AbortSignal.timeout(publicKey.timeout)]),
    ...(mediation === undefined ? {} : { mediation }),
  })) as PublicKeyCredential
  return { challengeId, credential: asserted.toJSON() as Asserted }
}

/** Sends an assertion to the service, which signs the pane in (WebAuthn L3 §7.2). */
export const handIn = async (assertion: Assertion): Promise<string> => {
  pane.session.value = { tokens: await pane.client.passkeys.finishLogin(assertion) }
  return 'Signed in with a passkey.'
}

/** Signs in with a passkey that the person chooses in the browser's dialog. */
export const signInWithPasskey = async (signIn: Pick<SignIn, 'email'> = {}): Promise<string> =>
  handIn(await askForAssertion(signIn))
