import type { Checked } from '@countersign/contract'
import { base64Takes, fromAnyBase64, toBase64Url } from '../../shared/crypto/base64.ts'
import { Invalid } from '../../shared/errors.ts'

/** Converts base64 or base64url to base64url without padding, the encoding that the rest of the code uses. @throws Invalid */
export const base64UrlOf = (member: string, text: string): string => {
  const bytes = fromAnyBase64(text)
  if (bytes === undefined) throw new Invalid({ [member]: `must be ${base64Takes(text)}` })
  return toBase64Url(bytes)
}

/** Reads a created credential. All texts become base64url without padding. @throws Invalid for text that is not base64 */
export const readCreatedCredential = (credential: Checked<'passkeys.finishRegistration'>['credential']) => {
  const { id, rawId, response, clientExtensionResults } = credential
  return {
    id: base64UrlOf('credential.id', id),
    rawId: base64UrlOf('credential.rawId', rawId),
    clientDataJSON: base64UrlOf('credential.response.clientDataJSON', response.clientDataJSON),
    attestationObject: base64UrlOf('credential.response.attestationObject', response.attestationObject),
    transports: [...new Set(response.transports)],
    discoverable: clientExtensionResults?.credProps?.rk ?? null,
  }
}

export type CreatedCredential = Readonly<ReturnType<typeof readCreatedCredential>>

/** Reads an asserted credential. All texts become base64url without padding. @throws Invalid for text that is not base64 */
export const readAssertedCredential = ({ id, rawId, response }: Checked<'passkeys.finishLogin'>['credential']) => ({
  id: base64UrlOf('credential.id', id),
  rawId: base64UrlOf('credential.rawId', rawId),
  clientDataJSON: base64UrlOf('credential.response.clientDataJSON', response.clientDataJSON),
  authenticatorData: base64UrlOf('credential.response.authenticatorData', response.authenticatorData),
  signature: base64UrlOf('credential.response.signature', response.signature),
  // Safari sends an empty text for a security key that has no user handle.
  userHandle: response.userHandle ? base64UrlOf('credential.response.userHandle', response.userHandle) : undefined,
})

export type AssertedCredential = Readonly<ReturnType<typeof readAssertedCredential>>
