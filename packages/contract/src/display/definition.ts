/** The direction in which a language is written. */
export type Direction = 'ltr' | 'rtl'

/** The languages that are usually written from right to left, and their scripts (ISO 15924). */
const RIGHT_TO_LEFT = /^(?:ar|arc|ckb|dv|fa|he|iw|ks|nqo|ps|sd|syr|ug|ur|yi)(?:-|$)/
const SCRIPT = /^[a-z]{2,3}-([a-z]{4})(?:-|$)/
const RIGHT_TO_LEFT_SCRIPTS = /^(?:adlm|arab|hebr|mand|nkoo|rohg|samr|syrc|thaa)$/

/** Returns the language of a tag (RFC 5646 §2.1) without its subtags: `de` of `de-CH`. */
export const baseLanguage = (tag: string): string => tag.toLowerCase().split('-')[0] ?? ''

/** Returns the direction of a language tag. If the tag names a script, returns the direction of the script. */
export const directionOf = (tag: string): Direction => {
  const lower = tag.toLowerCase()
  const script = SCRIPT.exec(lower)?.[1]
  const isRightToLeft = script === undefined ? RIGHT_TO_LEFT.test(lower) : RIGHT_TO_LEFT_SCRIPTS.test(script)
  return isRightToLeft ? 'rtl' : 'ltr'
}

/** The words on the screen of a device, in one language. */
export interface Display {
  /** The direction in which the language is written. */
  readonly direction: Direction
  readonly title: string
  readonly lines: readonly DisplayLine[]
}

export interface DisplayLine {
  readonly label: string
  readonly value: string
  /** Present on the lines that a screen shows first and largest, such as the amount of a payment. */
  readonly lead?: true | undefined
}

/** The words by language (BCP 47). */
export type Displays = Readonly<Record<string, Display>>

/** A text by language (BCP 47). */
export type Translations = Readonly<Record<string, string>>

interface LineBase {
  readonly label: Translations
  readonly pointer: string
  /** Shows the line first and largest. At most three lines lead; if none does, the first line leads. A list then has one line. */
  readonly lead?: boolean | undefined
}

/** One line of a display definition. */
export type LineDefinition =
  | (LineBase & { readonly format: 'text' | 'date' | 'list' })
  | (LineBase & { readonly format: 'money'; readonly currency: string })

/** The words that a device shows for an action. Pointers are JSON pointers (RFC 6901) into the payload. */
export interface DisplayDefinition {
  readonly title: Translations
  readonly lines: readonly LineDefinition[]
}

/** Returns the names in a JSON pointer (RFC 6901 §3 and §4). */
export const pointerPath = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))

/** Returns the value at a JSON pointer; `undefined` if there is none. */
export const valueAt = (payload: unknown, pointer: string): unknown =>
  pointerPath(pointer).reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined,
    payload,
  )
