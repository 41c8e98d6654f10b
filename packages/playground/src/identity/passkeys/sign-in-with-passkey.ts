import type { Input } from '@countersign/contract'
import type { Pane } from '../../pane/pane.ts'
import { requirePasskeys } from './require-passkeys.ts'

type Asserted = Input<'passkeys.finishLogin'>['credential']

interface SignIn {
  /** Left out: any passkey of this service that an authenticator keeps. */
  readonly email?: string
  /** `conditional`: offered among the suggestions of a text field, until one is chosen. */
  readonly mediation?: 'conditional'
  readonly signal?: AbortSignal
}

/** A signed assertion, still to be handed in. */
export interface Assertion {
  readonly challengeId: string
  readonly credential: Asserted
}

/** Gets an assertion from an authenticator (WebAuthn L3 §5.1.4). @throws PasskeysUnsupported */
export const askForAssertion = async (pane: Pane, { email, mediation, signal }: SignIn): Promise<Assertion> => {
  requirePasskeys()
  const { challengeId, publicKey } = await pane.client.passkeys.beginLogin(email === undefined ? {} : { email })
  const asserted = (await navigator.credentials.get({
    publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey as PublicKeyCredentialRequestOptionsJSON),
    // Later than the service takes it, an assertion is of no use: the field is offered anew before that.
    signal: AbortSignal.any([...(signal === undefined ? [] : [signal]), AbortSignal.timeout(publicKey.timeout)]),
    ...(mediation === undefined ? {} : { mediation }),
  })) as PublicKeyCredential
  return { challengeId, credential: asserted.toJSON() as Asserted }
}

/** Hands an assertion in, which signs the pane in (WebAuthn L3 §7.2). */
export const handIn = async (pane: Pane, assertion: Assertion): Promise<string> => {
  pane.session.value = { kind: 'standard', tokens: await pane.client.passkeys.finishLogin(assertion) }
  return 'Signed in with a passkey.'
}

/** Signs in with a passkey that is chosen in the browser's own dialog. */
export const signInWithPasskey = async (pane: Pane, signIn: Pick<SignIn, 'email'> = {}): Promise<string> =>
  handIn(pane, await askForAssertion(pane, signIn))
