/** Returns the result of a decoder; `undefined` if the decoder throws. The error is dropped, because it quotes the input. */
export const attempt = <T>(decode: () => T): T | undefined => {
  try {
    return decode()
  } catch {
    return undefined
  }
}
