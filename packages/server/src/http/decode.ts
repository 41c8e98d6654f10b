/** Strict decoders. What they refuse is `undefined`: their errors would quote what was sent. */

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const orUndefined = <T>(decode: () => T): T | undefined => {
  try {
    return decode()
  } catch {
    return undefined
  }
}

export const decodeUtf8 = (bytes: Uint8Array): string | undefined => orUndefined(() => strictUtf8.decode(bytes))

/** Percent-encoded UTF-8 (RFC 3986 §2.1). */
export const decodePercent = (text: string): string | undefined => orUndefined(() => decodeURIComponent(text))

/** No JSON stands for `undefined`, so it can mean that the text is none. */
export const decodeJson = (text: string): unknown => orUndefined<unknown>(() => JSON.parse(text))
