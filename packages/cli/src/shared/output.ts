import { styleText } from 'node:util'
import type { Command } from 'commander'

/** What a command answers, for programs and for people. */
export interface Answer {
  /** With `--json` this one value, and nothing else, goes to standard output. */
  readonly json: unknown
  /** Without, this text does: a line, or some, or what `table` and `facts` draw. */
  readonly text: string | readonly string[] | ((screen: Screen) => Drawn)
  /** Told on standard error in both cases: the operation was done, and may not be what was meant. */
  readonly warnings?: readonly string[]
  /** Told to people beside the text, on standard error, so that the text alone can be piped. */
  readonly note?: string
  /** 0 where left out; for commands whose answer can be bad news. */
  readonly exitCode?: number
}

declare const drawn: unique symbol

/** Lines in which whatever came from outside is printable already, and what is not printable is colour. */
export type Drawn = string & { readonly [drawn]: true }

type Style = 'bold' | 'dim' | 'green' | 'red'

/** Styles a text, where styles are wanted. */
export type Paint = (style: Style, text: string) => string

/** What a text is drawn on. */
export interface Screen {
  readonly paint: Paint
  /** Characters in a line of the terminal; `undefined` where the text goes to a file or another program. */
  readonly columns: number | undefined
}

interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
  hasColors?(): boolean
}

/** Colours only on a terminal that has them; `NO_COLOR` is honoured by `hasColors`. */
export const paintFor = (stream: Stream): Paint =>
  stream.isTTY === true && stream.hasColors?.() === true
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_, text) => text

/** A terminal that does not say how wide it is gets tables as wide as they are. */
export const screenOf = (stream: Stream): Screen => ({
  paint: paintFor(stream),
  columns: stream.isTTY === true ? stream.columns || Number.POSITIVE_INFINITY : undefined,
})

// Control characters, line separators, and the marks that reorder text (CVE-2021-42574).
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Text as it may stand on a terminal: what a user or a device named itself cannot move the cursor or hide anything. */
export const printable = (text: string): string => text.replaceAll(UNPRINTABLE, escaped)

/** One line of JSON, whose text does nothing to a terminal either. */
export const toJsonLine = (value: unknown): string => `${JSON.stringify(value).replaceAll(UNPRINTABLE, escaped)}\n`

type WithIsoTimestamps<T> = {
  readonly [K in keyof T]: K extends `${string}At` ? Exclude<T[K], number> | (T[K] & number extends never ? never : string) : T[K]
}

/** The same thing with its instants (the members named `…At`) as ISO 8601 UTC timestamps. */
export const withIsoTimestamps = <T extends object>(thing: T): WithIsoTimestamps<T> =>
  Object.fromEntries(
    Object.entries(thing).map(([name, value]) => [
      name,
      name.endsWith('At') && typeof value === 'number' ? new Date(value).toISOString() : value,
    ]),
  ) as WithIsoTimestamps<T>

/** Lines are made printable here, and nowhere else, so that no command forgets it. */
const linesOf = (lines: string | readonly string[]): string =>
  typeof lines === 'string' ? printable(lines) : lines.map(printable).join('\n')

/** An answer as people read it. */
export const textOf = ({ text }: Pick<Answer, 'text'>, screen: Screen): string =>
  typeof text === 'function' ? text(screen) : linesOf(text)

/** Makes an action of a function that answers: prints the answer in the way that was asked for, and sets the exit code. */
export const answering =
  <A extends readonly unknown[]>(work: (...args: A) => Answer | Promise<Answer>) =>
  async (...given: readonly [...A, Command]): Promise<void> => {
    const command = given.at(-1) as Command
    const answer = await work(...(given.slice(0, -1) as unknown as A))
    if (command.optsWithGlobals<{ json?: boolean }>().json === true) {
      process.stdout.write(toJsonLine(answer.json))
    } else {
      process.stdout.write(`${textOf(answer, screenOf(process.stdout))}\n`)
      if (answer.note !== undefined) process.stderr.write(`${printable(answer.note)}\n`)
    }
    for (const warning of answer.warnings ?? []) process.stderr.write(`warning: ${printable(warning)}\n`)
    process.exitCode = answer.exitCode ?? 0
  }
