/** Returns the value of JSON, also after a byte order mark; or `undefined`, because the parser's message quotes the text. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}
