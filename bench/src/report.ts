import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Result } from './measure.ts'

/** @param texts The number of text columns; number columns follow them. */
const toTable = ([head = [], ...rows]: readonly (readonly string[])[], texts = 1): string => {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(texts)}${'--:|'.repeat(head.length - texts)}`, ...rows.map(line)].join('\n')
}

const SHOWN_ROWS = 12

/** Returns the table of a result without the median latency. A long table keeps the rows with the greatest last figures. */
const shownOf = (table: Result['table']): string => {
  const left = table[0]?.indexOf('p50 ms')
  const [head = [], ...rows] = table.map((cells) => cells.filter((_, at) => at !== left))
  if (rows.length <= SHOWN_ROWS) return toTable([head, ...rows])
  const last = (cells: readonly string[]): number => Number.parseFloat(cells.at(-1) ?? '')
  const slowest = rows.toSorted((one, other) => last(other) - last(one)).slice(0, SHOWN_ROWS)
  return `${toTable([head, ...slowest])}\n\nThe slowest ${SHOWN_ROWS} of ${rows.length}; \`benchmarks.json\` has all.`
}

export const toMarkdown = ({ title, name, about, rounds, measuredAt, machine, table }: Result): string => {
  const origin = [`\`${name}\``, ...(rounds === undefined ? [] : [rounds]), measuredAt.slice(0, 10), machine]
  return [`## ${title}`, about, ...(table.length === 0 ? [] : [shownOf(table)]), `${origin.join(', ')}.`].join('\n\n')
}

/** Returns all results, each with the letter of its machine, and a list of the machines. */
const toDetails = (results: readonly Result[]): string => {
  const machines = [...new Set(results.map(({ machine }) => machine))]
  const letterOf = (index: number): string => `machine ${String.fromCodePoint(65 + index)}`
  const details = results.map((result) => toMarkdown({ ...result, machine: letterOf(machines.indexOf(result.machine)) }))
  return [...details, '## Machines', machines.map((machine, index) => `- ${letterOf(index)}: ${machine}`).join('\n')].join('\n\n')
}

export const toSummary = (results: readonly Result[]): string => {
  const all = results.flatMap(({ title, held }) => held.map((cells, index) => ({ title: index === 0 ? title : '', cells })))
  const rows = all.map(({ title, cells: [what = '', measured = '', wanted = '', met] }) => {
    return [title, what, measured, met === 'yes' ? wanted : `${wanted}, **missed**`]
  })
  const met = all.filter(({ cells }) => cells.at(-1) === 'yes').length
  const head = ['benchmark', 'measurement', 'measured', 'target']
  const method =
    'Figures are medians of rounds, in which the contenders take turns. The middle half of the rounds is in parentheses. `npm run bench -- NAME` measures the benchmark whose name is below it.'
  return ['## Targets', `${met} of ${rows.length} targets are met.`, toTable([head, ...rows], 2), method].join('\n\n')
}

/** The line between the text written by hand and the generated results. */
const MARK = '<!-- `npm run bench` generates everything below from benchmarks.json. The text above is written by hand. -->'

/** Stores results in `benchmarks.json`, each in place of its earlier one, and shows all in `benchmarks.md`, in this order. */
export const writeReport = (directory: string, results: readonly Result[], versions: string, order: readonly string[]): void => {
  mkdirSync(directory, { recursive: true })
  const [json, markdown] = [join(directory, 'benchmarks.json'), join(directory, 'benchmarks.md')]
  const kept = existsSync(json) ? (JSON.parse(readFileSync(json, 'utf8')) as { readonly results: readonly Result[] }).results : []
  const all = new Map([...kept, ...results].map((result) => [result.name, result]))
  const shown = order.flatMap((name) => all.get(name) ?? [])
  writeFileSync(json, `${JSON.stringify({ versions, results: shown }, undefined, 2)}\n`)
  const [byHand = ''] = (existsSync(markdown) ? readFileSync(markdown, 'utf8') : '# Benchmarks\n').split(MARK)
  const end = `Compared libraries and tools: ${versions}.`
  writeFileSync(markdown, `${[byHand.trimEnd(), MARK, toSummary(shown), toDetails(shown), end].join('\n\n')}\n`)
}
