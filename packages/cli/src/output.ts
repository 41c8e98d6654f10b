import { styleText } from 'node:util'
import Table from 'cli-table3'
import type { Command } from 'commander'

/** What a command answers, for programs and for people. */
export interface Answer {
  /** With `--json` this one value, and nothing else, goes to standard output. */
  readonly json: unknown
  /** Without, this text does: a line, or some, or what `table` and `facts` draw. */
  readonly text: string | readonly string[] | ((paint: Paint) => Drawn)
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

interface Stream {
  readonly isTTY?: boolean
  hasColors?(): boolean
}

/** Colours only on a terminal that has them; `NO_COLOR` is honoured by `hasColors`. */
export const paintFor = (stream: Stream): Paint =>
  stream.isTTY === true && stream.hasColors?.() === true
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_, text) => text

// Control characters, line separators, and the marks that reorder text (CVE-2021-42574).
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Text as it may stand on a terminal: what a user or a device named itself cannot move the cursor or hide anything. */
export const printable = (text: string): string => text.replaceAll(UNPRINTABLE, escaped)

/** One line of JSON, whose text does nothing to a terminal either. */
export const toJsonLine = (value: unknown): string => `${JSON.stringify(value).replaceAll(UNPRINTABLE, escaped)}\n`

/** A cell of a listing that is to stand out. */
export interface Styled {
  readonly text: string
  readonly style: Style
}

const shown = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(shown).join(', ')
  return printable(String(value))
}

const isStyled = (value: unknown): value is Styled => typeof value === 'object' && value !== null && 'style' in value

const cell = (value: unknown, paint: Paint): string => (isStyled(value) ? paint(value.style, shown(value.text)) : shown(value))

/** A listing: a head, and a row for each thing; or a sentence where there is nothing. */
export const table = (
  rows: readonly Readonly<Record<string, unknown>>[],
  { paint, empty }: { readonly paint: Paint; readonly empty: string },
): Drawn => {
  const [first] = rows
  if (first === undefined) return empty as Drawn
  const columns = Object.keys(first)
  const grid = new Table({
    head: columns.map((column) => paint('bold', column)),
    style: { head: [], border: [], compact: true },
  })
  for (const row of rows) grid.push(columns.map((column) => cell(row[column], paint)))
  return grid.toString() as Drawn
}

/** One thing: a line for each of its facts. */
export const facts = (thing: Readonly<Record<string, unknown>>, paint: Paint): Drawn => {
  const width = Math.max(...Object.keys(thing).map((name) => name.length))
  return Object.entries(thing)
    .map(([name, value]) => `${paint('bold', name.padEnd(width))}  ${shown(value)}`)
    .join('\n') as Drawn
}

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
export const textOf = ({ text }: Pick<Answer, 'text'>, paint: Paint): string =>
  typeof text === 'function' ? text(paint) : linesOf(text)

/** Makes an action of a function that answers: prints the answer in the way that was asked for, and sets the exit code. */
export const answering =
  <A extends readonly unknown[]>(work: (...args: A) => Answer | Promise<Answer>) =>
  async (...given: readonly [...A, Command]): Promise<void> => {
    const command = given.at(-1) as Command
    const answer = await work(...(given.slice(0, -1) as unknown as A))
    if (command.optsWithGlobals<{ json?: boolean }>().json === true) {
      process.stdout.write(toJsonLine(answer.json))
    } else {
      process.stdout.write(`${textOf(answer, paintFor(process.stdout))}\n`)
      if (answer.note !== undefined) process.stderr.write(`${printable(answer.note)}\n`)
    }
    process.exitCode = answer.exitCode ?? 0
  }
