import type { Checked } from '@countersign/contract'
import { base64Takes, fromAnyBase64, toBase64Url } from '../../shared/crypto/base64.ts'
import { Invalid } from '../../shared/errors.ts'

/** Converts base64 or base64url to base64url without padding, the encoding that the rest of the code uses. @throws Invalid */
export const base64UrlOf = (member: string, text: string): string => {
  const bytes = fromAnyBase64(text)
  if (bytes === undefined) throw new Invalid({ [member]: `must be ${base64Takes(text)}` })
  return toBase64Url(bytes)
}

/** A created credential from a browser. All strings are base64url without padding. */
export interface CreatedCredential {
  readonly id: string
  readonly rawId: string
  readonly clientDataJSON: string
  readonly attestationObject: string
  readonly transports: readonly string[]
  readonly discoverable: boolean | null
}

/** Reads a created credential. @throws Invalid if a member is neither base64 nor base64url */
export const readCreatedCredential = (credential: Checked<'passkeys.finishRegistration'>['credential']): CreatedCredential => {
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

/** An asserted credential from a browser. All strings are base64url without padding. */
export interface AssertedCredential {
  readonly id: string
  readonly rawId: string
  readonly clientDataJSON: string
  readonly authenticatorData: string
  readonly signature: string
  readonly userHandle: string | undefined
}

/** Reads an asserted credential. @throws Invalid if a member is neither base64 nor base64url */
export const readAssertedCredential = ({
  id,
  rawId,
  response,
}: Checked<'passkeys.finishLogin'>['credential']): AssertedCredential => ({
  id: base64UrlOf('credential.id', id),
  rawId: base64UrlOf('credential.rawId', rawId),
  clientDataJSON: base64UrlOf('credential.response.clientDataJSON', response.clientDataJSON),
  authenticatorData: base64UrlOf('credential.response.authenticatorData', response.authenticatorData),
  signature: base64UrlOf('credential.response.signature', response.signature),
  // Safari sends an empty text for a security key that has no user handle.
  userHandle: response.userHandle ? base64UrlOf('credential.response.userHandle', response.userHandle) : undefined,
})
