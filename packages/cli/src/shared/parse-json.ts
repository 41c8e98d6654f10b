/**
 * Returns the value of JSON; `undefined`, which no JSON has, for any other text. The message of the parser quotes the text. Some
 * editors begin a file with a byte order mark.
 */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}
