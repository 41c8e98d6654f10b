/** A JSON Web Token as anybody can read it. Nothing is verified: only the service can. */
export interface DecodedToken {
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, unknown>>
}

const decodePart = (part: string): Readonly<Record<string, unknown>> => {
  const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Readonly<Record<string, unknown>>
}

/** Header and claims of a compact JWS (RFC 7515 §3.1); `undefined` for anything else. */
export const decodeToken = (token: string): DecodedToken | undefined => {
  const [header, claims, signature, ...rest] = token.split('.')
  if (header === undefined || claims === undefined || signature === undefined || rest.length > 0) return undefined
  try {
    return { header: decodePart(header), claims: decodePart(claims) }
  } catch {
    return undefined
  }
}
