/** Returns the value of JSON; `undefined`, which no JSON has, for any other text. The message of the parser quotes the text. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
