/** The direction in which a language is written. */
export type Direction = 'ltr' | 'rtl'

/** The languages that are usually written from right to left, and their scripts (ISO 15924). */
const RIGHT_TO_LEFT = /^(?:ar|arc|ckb|dv|fa|he|iw|ks|nqo|ps|sd|syr|ug|ur|yi)(?:-|$)/
const SCRIPT = /^[a-z]{2,3}-([a-z]{4})(?:-|$)/
const RIGHT_TO_LEFT_SCRIPTS = /^(?:adlm|arab|hebr|mand|nkoo|rohg|samr|syrc|thaa)$/

/** Returns the language of a tag (RFC 5646 §2.1) without its subtags: `de` of `de-CH`. */
export const baseLanguage = (tag: string): string => tag.toLowerCase().split('-')[0] ?? ''

/** Returns the direction of a language tag; that of its script, if the tag has one. */
export const directionOf = (tag: string): Direction => {
  const lower = tag.toLowerCase()
  const script = SCRIPT.exec(lower)?.[1]
  const isRightToLeft = script === undefined ? RIGHT_TO_LEFT.test(lower) : RIGHT_TO_LEFT_SCRIPTS.test(script)
  return isRightToLeft ? 'rtl' : 'ltr'
}
