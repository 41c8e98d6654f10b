/** A part of a receipt as a person can read it. */
export interface ReadablePart {
  readonly name: string
  readonly json: string
}

const decode = (encoded: string): unknown => {
  const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'))
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0))))
}

const part = (name: string, encoded: string): ReadablePart => {
  try {
    return { name, json: JSON.stringify(decode(encoded), null, 2) }
  } catch {
    return { name, json: 'Not readable: the part is no JSON in base64url.' }
  }
}

/** Decodes the parts of a receipt for reading. Proves nothing: `verifyReceipt` decides. */
export const readableParts = (receipt: string): readonly ReadablePart[] => {
  const [jws = '', ...disclosures] = receipt.split('~').filter((text) => text !== '')
  const [header = '', payload = ''] = jws.split('.')
  return [
    part('Header', header),
    part('Payload', payload),
    ...disclosures.map((encoded, index) => part(`Disclosure ${index + 1}`, encoded)),
  ]
}
