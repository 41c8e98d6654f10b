/** The message for a bad list of web origins. */
export const webOriginsMessage = 'must be web origins such as https://app.example.com'

/**
 * Returns whether a text is a web origin exactly as browsers send it: scheme, host, and port unless it is the default port. A star
 * is refused, although a URL may contain it, because its author means a pattern.
 */
export const isWebOrigin = (text: string): boolean =>
  /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text
