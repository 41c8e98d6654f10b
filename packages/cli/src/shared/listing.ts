import Table from 'cli-table3'
import { type Drawn, type Paint, printable, type Screen } from './output.ts'

export interface Styled {
  readonly text: string
  readonly style: Parameters<Paint>[0]
}

type Row = Readonly<Record<string, unknown>>

const shown = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(shown).join(', ')
  return printable(String(value))
}

const isStyled = (value: unknown): value is Styled => typeof value === 'object' && value !== null && 'style' in value

const cell = (value: unknown, paint: Paint): string => (isStyled(value) ? paint(value.style, shown(value.text)) : shown(value))

type Grid = readonly (readonly string[])[]

const draw = ([head = [], ...rows]: Grid, colWidths: readonly number[] = []): string => {
  const grid = new Table({
    head: [...head],
    colWidths: [...colWidths],
    wordWrap: true,
    style: { head: [], border: [], compact: true },
  })
  grid.push(...rows.map((row) => [...row]))
  return grid.toString()
}

/** Returns the column widths of a drawn table, read from its upper border: each border character is one column wide. */
const widthsOf = (drawing: string): readonly number[] => {
  const border = drawing.slice(0, drawing.indexOf('\n'))
  return border
    .slice(1, -1)
    .split('┬')
    .map(({ length }) => length)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** Narrows the widest columns until all fit, but no column below its least width; `undefined` if they cannot fit. */
const shrink = (natural: readonly number[], least: readonly number[], room: number): readonly number[] | undefined => {
  if (sum(least) > room) return undefined
  const widths = [...natural]
  for (let excess = sum(natural) - room; excess > 0; excess -= 1) {
    const spare = widths.map((width, at) => (width > (least[at] ?? width) ? width : 0))
    const widest = spare.indexOf(Math.max(...spare))
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

/** Returns a table no wider than the terminal, wrapped between words; `undefined` if a word would have to be broken. */
const fitted = (grid: Grid, columns: number): string | undefined => {
  const drawing = draw(grid)
  const natural = widthsOf(drawing)
  const room = columns - (natural.length + 1)
  if (sum(natural) <= room) return drawing
  const wordByWord = grid.map((row) => row.map((text) => text.replaceAll(/\s+/g, '\n')))
  const widths = shrink(natural, widthsOf(draw(wordByWord)), room)
  return widths && draw(grid, widths)
}

const block = (row: Row, paint: Paint): string => {
  const width = Math.max(...Object.keys(row).map((name) => name.length))
  return Object.entries(row)
    .map(([name, value]) => `${paint('bold', name.padEnd(width))}  ${cell(value, paint)}`)
    .join('\n')
}

/** Joins cells with tabs. `printable` escapes tabs inside values, so that every tab separates two cells. */
const tabSeparated = (grid: Grid): string => grid.map((row) => row.join('\t')).join('\n')

/** Draws a listing, or a sentence if it is empty: a table or blocks on a terminal, tab-separated lines for a program. */
export const table =
  (rows: readonly Row[], empty = '') =>
  ({ paint, columns }: Screen): Drawn => {
    const [first] = rows
    if (first === undefined) return empty as Drawn
    const names = Object.keys(first)
    const grid = [names.map((name) => paint('bold', name)), ...rows.map((row) => names.map((name) => cell(row[name], paint)))]
    if (columns === undefined) return tabSeparated(grid) as Drawn
    return (fitted(grid, columns) ?? rows.map((row) => block(row, paint)).join('\n\n')) as Drawn
  }

/** Draws one item, a line for each field. For a file or another program, a tab separates name and value. */
export const facts =
  (thing: Row) =>
  ({ paint, columns }: Screen): Drawn => {
    if (columns !== undefined) return block(thing, paint) as Drawn
    return tabSeparated(Object.entries(thing).map(([name, value]) => [name, cell(value, paint)])) as Drawn
  }
