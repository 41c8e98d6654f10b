/** The client of a request, as the host reports it. */
export interface FromClient {
  /** The address of the client, normalised by the host. All failed logins without an address count for one client. */
  readonly address?: string | undefined
  /** The header `User-Agent`. Clients choose this text freely, so `seenClient` cuts and cleans the text. */
  readonly userAgent?: string | undefined
}

/** The client of a request, as a person may see it. */
export interface SeenClient {
  readonly address: string | null
  readonly userAgent: string | null
}

const MOST_CHARACTERS = 255

/** Control and formatting characters, among them those that change the direction of text, and line and paragraph separators. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/gu

const bounded = (text: string | undefined): string | null => {
  if (text === undefined || text === '') return null
  // Cut before the replacement, so that a very long text costs little.
  const start = text
    .slice(0, 2 * MOST_CHARACTERS)
    .toWellFormed()
    .replaceAll(INVISIBLE, '\u{FFFD}')
  return Array.from(start).slice(0, MOST_CHARACTERS).join('')
}

/** Returns the client of a request, at most 255 characters of each text, without the invisible ones a thief may write. */
export const seenClient = ({ address, userAgent }: FromClient): SeenClient => ({
  address: bounded(address),
  userAgent: bounded(userAgent),
})
