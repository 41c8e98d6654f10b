/** Secrets that a test plants, and the forms in which they could come to light. */

/** The middle of a text's base64, whatever stands before and after it: it depends on where the text begins. */
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

/** A secret as it is, in base64 and base64url at any offset, in hex, percent-encoded, and as JSON writes it. */
export const formsOf = (secret: string): readonly string[] => [
  ...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...formsOfBytes(Buffer.from(secret))]),
]

/** Bytes that are known as base64 or base64url: in all of those spellings. */
export const formsOfBase64 = (secret: string): readonly string[] => [
  ...new Set([...formsOf(secret), ...formsOfBytes(Buffer.from(secret, 'base64url'))]),
]

export type Canaries = Readonly<Record<string, readonly string[]>>

/** The names of those secrets that a text shows in any form. */
export const shownIn = (text: string, canaries: Canaries): readonly string[] =>
  Object.entries(canaries)
    .filter(([, forms]) => forms.some((form) => text.includes(form)))
    .map(([name]) => name)
