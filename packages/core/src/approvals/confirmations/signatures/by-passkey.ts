import type { Checked } from '@countersign/contract'
import { type Caller, InsufficientTrustLevel } from '../../../identity/authentication/caller.ts'
import { type AssertedCredential, base64UrlOf } from '../../../identity/passkeys/credential-input.ts'
import { PasskeyNotFound } from '../../../identity/passkeys/errors.ts'
import { loadCeremonies } from '../../../identity/passkeys/load-ceremonies.ts'
import { logRefusal, shortened } from '../../../identity/refusals.ts'
import type { ApprovalDeps } from '../../deps.ts'
import { reachesConfirmation } from '../../records/confirmation.ts'
import type { Prove } from './signers.ts'

type Form = Extract<Checked<'confirmations.verify'>, { credentialId: string }>

const credentialOf = ({ credentialId, ...given }: Form): AssertedCredential => {
  const id = base64UrlOf('credentialId', credentialId)
  return {
    id,
    rawId: id,
    clientDataJSON: base64UrlOf('clientDataJSON', given.clientDataJSON),
    authenticatorData: base64UrlOf('authenticatorData', given.authenticatorData),
    signature: base64UrlOf('signature', given.signature),
    userHandle: undefined,
  }
}

/**
 * Reads the assertion of a passkey, which verified its user on a page of `approverOrigins`, in any session of the user.
 * @throws InsufficientTrustLevel if passkeys do not approve, Invalid; the result throws PasskeyNotFound
 */
export const assertionOfPasskey = async (
  { storage, options, logger }: ApprovalDeps,
  { caller: { userId }, ...form }: Form & { readonly caller: Caller },
): Promise<Prove> => {
  if (!options.passkeyApprovals) throw new InsufficientTrustLevel()
  const credential = credentialOf(form)
  const { verifyApproval, requireAssertionForm } = await loadCeremonies()
  requireAssertionForm(credential, '')
  return async (confirmation) => {
    const passkey = (await storage.passkeys.allOfUser(userId)).find(({ id }) => id === credential.id)
    if (passkey === undefined || !reachesConfirmation(passkey.tenants, confirmation)) throw new PasskeyNotFound()
    const { relyingParty, approverOrigins } = options
    const pages = { id: relyingParty.id, origins: approverOrigins.length > 0 ? approverOrigins : relyingParty.origins }
    const signed = verifyApproval(pages, confirmation.challenge, credential, passkey)
    if (typeof signed === 'string') {
      const signer = signed === 'signature' ? undefined : { userId, passkeyId: shortened(passkey.id) }
      logRefusal(logger, 'passkey_refused', signed, signer)
      return undefined
    }
    const { use, algorithm, keyThumbprint, origin } = signed
    const { authenticatorData, clientDataJSON, signature } = credential
    const assertion = { authenticatorData, clientDataJSON, origin, rpId: pages.id, backedUp: use.backedUp }
    const evidence = { signature, algorithm, over: 'assertion', assertion, publicKey: passkey.spki, keyThumbprint } as const
    return { signer: { passkey: use }, evidence, tenants: passkey.tenants, isTooWeak: false }
  }
}
