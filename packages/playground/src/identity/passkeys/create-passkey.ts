import type { Input } from '@countersign/contract'
import { pane } from '../../pane/pane.ts'
import { bearer } from '../../pane/session.ts'
import { requirePasskeys } from './require-passkeys.ts'

export interface CreatePasskey {
  /** Says if the authenticator must, should or need not store the passkey itself, so that a login works without an e-mail. */
  readonly residentKey: 'required' | 'preferred' | 'discouraged'
  /** Says if the authenticator must, should or need not verify the person. */
  readonly userVerification: 'required' | 'preferred' | 'discouraged'
}

type Created = Input<'passkeys.finishRegistration'>['credential']

/** Creates a passkey on an authenticator, and registers it (WebAuthn L3 §7.1). */
export const createPasskey = async ({ residentKey, userVerification }: CreatePasskey): Promise<string> => {
  requirePasskeys()
  const { challengeId, publicKey } = await pane.client.passkeys.beginRegistration(
    { userVerification, authenticatorSelection: { residentKey, userVerification } },
    bearer(),
  )
  const options = PublicKeyCredential.parseCreationOptionsFromJSON(publicKey as PublicKeyCredentialCreationOptionsJSON)
  const created = (await navigator.credentials.create({ publicKey: options })) as PublicKeyCredential
  const { credential } = await pane.client.passkeys.finishRegistration(
    { challengeId, credential: created.toJSON() as Created },
    bearer(),
  )
  return `Passkey “${credential.name}” created.`
}
