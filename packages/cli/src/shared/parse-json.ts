/** Returns the value of JSON; `undefined` for any other text. No JSON has this value, and the message of the parser quotes the text. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
