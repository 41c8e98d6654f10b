/** Strict decoders. They return `undefined` for invalid input, because an error would quote the input. */

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

/** Returns `undefined` for invalid JSON. No valid JSON has this value. */
export const decodeJson = (text: string): unknown => orUndefined<unknown>(() => JSON.parse(text))
