import type { Checked } from '@countersign/contract'
import { fromAnyBase64, toBase64Url } from '../../shared/crypto/base64.ts'
import { Invalid } from '../../shared/errors.ts'

/** Bytes as they were sent, in the one text that the rest works with: base64url without padding. @throws Invalid */
const base64UrlOf = (member: string, text: string): string => {
  const bytes = fromAnyBase64(text)
  if (bytes === undefined) throw new Invalid({ [`credential.${member}`]: 'must be base64 or base64url' })
  return toBase64Url(bytes)
}

/** What a browser gives for a passkey that it created. All texts are base64url without padding. */
export interface CreatedCredential {
  readonly id: string
  readonly rawId: string
  readonly clientDataJSON: string
  readonly attestationObject: string
  readonly transports: readonly string[]
  readonly discoverable: boolean | null
}

/** @throws Invalid where a part is not exactly base64 or base64url */
export const readCreatedCredential = (credential: Checked<'passkeys.finishRegistration'>['credential']): CreatedCredential => {
  const { id, rawId, response, clientExtensionResults } = credential
  return {
    id: base64UrlOf('id', id),
    rawId: base64UrlOf('rawId', rawId),
    clientDataJSON: base64UrlOf('response.clientDataJSON', response.clientDataJSON),
    attestationObject: base64UrlOf('response.attestationObject', response.attestationObject),
    transports: [...new Set(response.transports)],
    discoverable: clientExtensionResults?.credProps?.rk ?? null,
  }
}

/** What a browser gives for a passkey that signed. All texts are base64url without padding. */
export interface AssertedCredential {
  readonly id: string
  readonly rawId: string
  readonly clientDataJSON: string
  readonly authenticatorData: string
  readonly signature: string
  readonly userHandle: string | undefined
}

/** @throws Invalid where a part is not exactly base64 or base64url */
export const readAssertedCredential = ({
  id,
  rawId,
  response,
}: Checked<'passkeys.finishLogin'>['credential']): AssertedCredential => ({
  id: base64UrlOf('id', id),
  rawId: base64UrlOf('rawId', rawId),
  clientDataJSON: base64UrlOf('response.clientDataJSON', response.clientDataJSON),
  authenticatorData: base64UrlOf('response.authenticatorData', response.authenticatorData),
  signature: base64UrlOf('response.signature', response.signature),
  userHandle: typeof response.userHandle === 'string' ? base64UrlOf('response.userHandle', response.userHandle) : undefined,
})
