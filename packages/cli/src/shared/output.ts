import { styleText } from 'node:util'
import type { OutputStream } from './command-context.ts'

/** The result of a command, for programs and for people. */
export interface Answer {
  /** With `--json`, this value is the only output on standard output. */
  readonly json: unknown
  /** Without `--json`, this text is printed: one or several lines, or a drawing by `table` or `facts`. */
  readonly text: string | readonly string[] | ((screen: Screen) => Drawn)
  /** Printed on standard error in both cases: the operation succeeded, but it might not do what the person meant. */
  readonly warnings?: readonly string[]
  /** Printed for people on standard error, so that the text alone can be piped. */
  readonly note?: string
  /** True if the command exits with 1, for commands whose answer can be a failure. */
  readonly failed?: boolean
}

declare const drawn: unique symbol

/** The text for people after an import that has changed nothing. */
export const NOTHING_TO_DO = 'There was nothing to do.'

/** Lines whose text is already printable. The only control characters in them are colours. */
export type Drawn = string & { readonly [drawn]: true }

type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow'

export type Paint = (style: Style, text: string) => string

/** The properties of the output that a text is drawn on. */
export interface Screen {
  readonly paint: Paint
  /** Characters in a line of the terminal; `undefined` if the text goes to a file or another program. */
  readonly columns: number | undefined
}

type Stream = Pick<OutputStream, 'isTTY' | 'columns' | 'hasColors'>

/** Returns a painter that colours only on a terminal with colours; `hasColors` respects `NO_COLOR`. */
export const paintFor = (stream: Stream): Paint =>
  stream.isTTY === true && stream.hasColors?.() === true
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_, text) => text

/** Returns the screen of a stream. A terminal that does not report its width gets tables of full width. */
export const screenOf = (stream: Stream): Screen => ({
  paint: paintFor(stream),
  columns: stream.isTTY === true ? stream.columns || Number.POSITIVE_INFINITY : undefined,
})

// Control characters, line separators, and the marks that reorder text (CVE-2021-42574).
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Escapes control characters, so that names chosen by users or devices cannot move the cursor or hide text on a terminal. */
export const printable = (text: string): string => text.replaceAll(UNPRINTABLE, escaped)

/** Returns one line of JSON with control characters escaped. */
export const toJsonLine = (value: unknown): string => `${JSON.stringify(value).replaceAll(UNPRINTABLE, escaped)}\n`

type WithIsoTimestamps<T> = {
  readonly [K in keyof T]: K extends `${string}At` ? Exclude<T[K], number> | (T[K] & number extends never ? never : string) : T[K]
}

/** Returns a copy whose times (the fields named `…At`) are ISO 8601 UTC timestamps. */
export const withIsoTimestamps = <T extends object>(thing: T): WithIsoTimestamps<T> =>
  Object.fromEntries(
    Object.entries(thing).map(([name, value]) => [
      name,
      name.endsWith('At') && typeof value === 'number' ? new Date(value).toISOString() : value,
    ]),
  ) as WithIsoTimestamps<T>

/** Returns a copy in which every time, at any depth, is an ISO 8601 UTC timestamp. Times are the numbers in fields named `…At`. */
export const withAllIsoTimestamps = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withAllIsoTimestamps)
  if (typeof value !== 'object' || value === null) return value
  return withIsoTimestamps(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withAllIsoTimestamps(inner)])))
}

/** Makes text printable. All text passes through here, so that no command can forget it. */
export const textOf = ({ text }: Pick<Answer, 'text'>, screen: Screen): string => {
  if (typeof text === 'function') return text(screen)
  return typeof text === 'string' ? printable(text) : text.map(printable).join('\n')
}
