import type { RelyingParty } from '../options.ts'
import type { PasskeyRefusal } from '../refusals.ts'

/** The members of client data (WebAuthn Level 3 §5.8.1). */
type ClientData = Readonly<Record<string, unknown>>

/** Skips a byte order mark, and replaces invalid UTF-8 (WebAuthn Level 3 §7.1, step 5). */
const utf8 = new TextDecoder()

/** Returns the origin that client data names. The text is client data (`isClientData`). */
export const readOrigin = (clientDataJSON: string): string => String(readClientData(clientDataJSON)?.origin)

const readClientData = (clientDataJSON: string): ClientData | undefined => {
  try {
    return (JSON.parse(utf8.decode(Buffer.from(clientDataJSON, 'base64url'))) ?? undefined) as ClientData | undefined
  } catch {
    // Invalid JSON is refused like any other wrong client data.
    return undefined
  }
}

/** Returns whether the text is client data: a JSON object with the three strings that every browser writes. */
export const isClientData = (clientDataJSON: string): boolean => {
  const { type, challenge, origin } = readClientData(clientDataJSON) ?? {}
  return [type, challenge, origin].every((member) => typeof member === 'string')
}

/**
 * Returns the first reason against the client data: its type, its challenge (in base64url), or a page that is not of the relying
 * party or is in a frame of another site (WebAuthn Level 3 §7.1, steps 7 to 11; §7.2, steps 10 to 14).
 */
export const clientDataRefusal = (
  { origins }: Pick<RelyingParty, 'origins'>,
  expected: string,
  ownType: 'webauthn.create' | 'webauthn.get',
  clientDataJSON: string,
): PasskeyRefusal | undefined => {
  const { type, challenge, origin, crossOrigin = false, topOrigin } = readClientData(clientDataJSON) ?? {}
  if (type !== ownType) return 'type'
  if (challenge !== expected) return 'challenge'
  if (typeof origin !== 'string' || !origins.includes(origin)) return 'origin'
  return crossOrigin === false && topOrigin === undefined ? undefined : 'cross_origin'
}
