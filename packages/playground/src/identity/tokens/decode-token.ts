const decodePart = (part: string): Readonly<Record<string, unknown>> => {
  const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Readonly<Record<string, unknown>>
}

/** Decodes a compact JWS (RFC 7515 §3.1), which only the service can verify. Returns `undefined` for any other text. */
export const decodeToken = (token: string) => {
  const [header, claims, signature, ...rest] = token.split('.')
  if (header === undefined || claims === undefined || signature === undefined || rest.length > 0) return undefined
  try {
    return { header: decodePart(header), claims: decodePart(claims) }
  } catch {
    return undefined
  }
}
