import type { Input, Output } from '@countersign/contract'
import { fromBase64, toBase64Url } from '../../shared/encoding/bytes.ts'

/* Converts passkey options and credentials, as browsers do since 2025 (WebAuthn Level 3 §5.1.8 to §5.1.10). */

type CreationOptions = Output<'passkeys.beginRegistration'>['publicKey']
type RequestOptions = Output<'passkeys.beginLogin'>['publicKey']

const descriptors = (list: RequestOptions['allowCredentials']): PublicKeyCredentialDescriptor[] =>
  list.map((one) => ({ ...one, id: fromBase64(one.id) }) as PublicKeyCredentialDescriptor)

export const toCreationOptions = (options: CreationOptions) =>
  ({
    ...options,
    challenge: fromBase64(options.challenge),
    user: { ...options.user, id: fromBase64(options.user.id) },
    excludeCredentials: descriptors(options.excludeCredentials),
  }) as PublicKeyCredentialCreationOptions

export const toRequestOptions = (options: RequestOptions): PublicKeyCredentialRequestOptions => ({
  ...options,
  challenge: fromBase64(options.challenge),
  allowCredentials: descriptors(options.allowCredentials),
})

const head = ({ rawId }: PublicKeyCredential) => {
  const id = toBase64Url(rawId)
  return { id, rawId: id, type: 'public-key' } as const
}

export const fromCreated = (credential: PublicKeyCredential): Input<'passkeys.finishRegistration'>['credential'] => {
  const response = credential.response as AuthenticatorAttestationResponse
  return {
    ...head(credential),
    response: {
      clientDataJSON: toBase64Url(response.clientDataJSON),
      attestationObject: toBase64Url(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    },
    clientExtensionResults: credential.getClientExtensionResults(),
  }
}

export const fromAsserted = (credential: PublicKeyCredential): Input<'passkeys.finishLogin'>['credential'] => {
  const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response as AuthenticatorAssertionResponse
  return {
    ...head(credential),
    response: {
      clientDataJSON: toBase64Url(clientDataJSON),
      authenticatorData: toBase64Url(authenticatorData),
      signature: toBase64Url(signature),
      // Safari gives an empty user handle for a security key that has none.
      ...(userHandle?.byteLength ? { userHandle: toBase64Url(userHandle) } : {}),
    },
  }
}
