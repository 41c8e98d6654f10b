/**
 * Returns the value of JSON, also after a byte order mark; `undefined` for any other text, because the parser's message quotes it.
 */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}
