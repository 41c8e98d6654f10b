const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_BRACE = 0x7b
const OPEN_BRACKET = 0x5b

/** Returns the position of the quote that ends a JSON string. */
const endOfText = (json: Uint8Array, start: number): number => {
  let at = start
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1
  return at
}

/**
 * Returns whether JSON has more than this many object members and list items, at all depths together. The JSON is not
 * parsed: each member or item follows a comma or an opening bracket outside of strings. Counting stops at the limit.
 */
export const hasMoreMembers = (json: Uint8Array, most: number): boolean => {
  // Each member or item takes at least one byte.
  if (json.length <= most) return false
  let count = 0
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]
    if (byte === QUOTE) at = endOfText(json, at + 1)
    else if (byte === COMMA || byte === OPEN_BRACE || byte === OPEN_BRACKET) count += 1
    if (count > most) return true
  }
  return false
}
