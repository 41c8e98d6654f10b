/** Planted secrets, each with the forms in which it could appear. */

/** Returns the middle of a text's base64 form, which is independent of the surrounding text, for one alignment. */
const base64Within = (bytes: Buffer): readonly string[] =>
  [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    return text.slice(offset === 0 ? 0 : offset + 1, -2)
  })

const toBase64Url = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_')

const formsOfBytes = (bytes: Buffer): readonly string[] => {
  const base64 = base64Within(bytes)
  return [...base64, ...base64.map(toBase64Url), bytes.toString('hex'), bytes.toString('hex').toUpperCase()]
}

/** Returns a secret as plain text, in base64 and base64url at any alignment, in hex, percent-encoded and as JSON. */
export const formsOf = (secret: string): readonly string[] => [
  ...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...formsOfBytes(Buffer.from(secret))]),
]

/** Returns all spellings of bytes that are given in base64 or base64url. */
export const formsOfBase64 = (secret: string): readonly string[] => [
  ...new Set([...formsOf(secret), ...formsOfBytes(Buffer.from(secret, 'base64url'))]),
]

export type Canaries = Readonly<Record<string, readonly string[]>>

/** Returns the names of the secrets that a text contains in any form. */
export const shownIn = (text: string, canaries: Canaries): readonly string[] =>
  Object.entries(canaries)
    .filter(([, forms]) => forms.some((form) => text.includes(form)))
    .map(([name]) => name)
