/** What a list of web origins takes. */
export const webOriginsTake = 'must be web origins such as https://app.example.com'

/**
 * Whether a text is a web origin exactly as browsers send it: scheme, host and, unless it is the scheme's own, port. A star is
 * refused, which a URL may have in its host: who writes it means a pattern.
 */
export const isWebOrigin = (text: string): boolean =>
  /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text
