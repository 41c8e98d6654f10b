import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Round } from './harness/round.ts'
import { boundOf, contenderRow, heldBy, type Result, worstOf } from './measure.ts'
import { toMarkdown, toSummary, writeReport } from './report.ts'

const round = (operations: number, extra: Partial<Round> = {}): Round => ({ operations, seconds: 2, ...extra })
const target = { of: 'ours', to: 'theirs', bound: 0.5 }
const named = { about: '', measuredAt: '2026-01-01T00:00:00.000Z', machine: '' }

it('the summary of a contender has the median of its rounds, and the range of their middle half', () => {
  const rounds = [100, 300, 200, 500, 400].map((operations) => round(operations, { cpuSeconds: operations * 2e-5 }))
  expect(contenderRow('ours', rounds)).toStrictEqual(['ours', '150 (100–200)', '20.0', '', ''])
})

it('two contenders are compared round by round, and the median of the ratios decides whether the target is met', () => {
  const held = heldBy(target, [round(60), round(6), round(55)], [round(100), round(10), round(100)])
  expect(held).toStrictEqual([['ours ÷ theirs', '0.60 (0.58–0.60)×', '≥ 0.5×', 'yes']])
  expect(heldBy(target, [round(49)], [round(100)])[0]?.[3]).toBe('**no**')
  const [of, to] = [11, 5].map((p99) => [round(1, { latency: { p50: 1, p99 } })])
  expect(heldBy({ ...target, by: 'p99', bound: 2 }, of ?? [], to ?? [])[0]?.[3]).toBe('**no**')
  const beyond = { ...target, by: 'processor', bound: 400 } as const
  const more = heldBy(beyond, [round(1000, { cpuSeconds: 1.4 })], [round(1000, { cpuSeconds: 1 })])
  expect(more).toStrictEqual([['processor time of ours − theirs', '400 (400–400) µs', '≤ 400 µs', 'yes']])
  expect(heldBy(beyond, [round(1)], [round(1)]), 'if the platform does not tell').toEqual([])
})

it('a list is compared with the list of the size that its target names, if that size was measured', () => {
  const compared = (comparedTo: number) => boundOf({ what: '', bound: { most: 2, comparedTo } }, [10, 100, 1000], [1, 2, 3])
  expect(compared(100)).toMatchObject([{ value: 1.5, holds: true }])
  expect(compared(10)).toMatchObject([{ value: 3, holds: false }])
  expect(compared(5)).toEqual([])
})

const comparison: Result = {
  ...named,
  name: 'introspect',
  title: 'Verifications',
  table: [],
  held: [['ours ÷ theirs', '0.61 (0.60–0.63)×', '≥ 0.5×', 'yes']],
}
const growth = (...values: readonly number[]): Result => {
  const lists = values.map((value) => ({ what: `list ${value}`, wanted: '≤ 2 ms', value, holds: value <= 2 }))
  return { ...named, name: 'lists', title: 'Lists', table: [], held: worstOf(lists) }
}

it('the summary has a row for each target; of lists with the same target, it shows the worst', () => {
  const rows = toSummary([comparison, growth(1, 3, 2)]).split('\n')
  expect(rows).toContain('1 of 2 targets are met.')
  expect(rows).toContain('| Verifications | ours ÷ theirs | 0.61 (0.60–0.63)× | ≥ 0.5× |')
  expect(rows).toContain('| Lists | the slowest of 3: list 3 | 3.00 | ≤ 2 ms, **missed** |')
})

it('a long table shows the slowest rows, and says how many it leaves out', () => {
  const rows = Array.from({ length: 13 }, (_, at) => [`list ${at}`, `${at}.00 (0.0)`])
  const text = toMarkdown({ ...named, name: 'lists', title: 'Lists', table: [['measurement', '10'], ...rows], held: [] })
  expect(text).toMatch(/--:\|\n\| list 12 \| 12\.00 \(0\.0\) \|\n/)
  expect(text).not.toContain('list 0 ')
  expect(text).toContain('The slowest 12 of 13; `benchmarks.json` has all.')
})

it('the report keeps results of other benchmarks in their order, and the text above them', () => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-report-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const path = join(directory, 'benchmarks.md')
  const write = (...results: readonly Result[]) => writeReport(directory, results, 'hono 4', ['introspect', 'lists'])
  write(growth(1))
  writeFileSync(path, readFileSync(path, 'utf8').replace('# Benchmarks', '# Benchmarks\n\nBy hand.'))
  write(comparison)
  expect(readFileSync(path, 'utf8')).toMatch(/^# Benchmarks\n\nBy hand\.\n\n<!-- /)
  expect(readFileSync(path, 'utf8').match(/^#.*$/gm)).toStrictEqual([
    '# Benchmarks',
    '## Targets',
    '## Verifications',
    '## Lists',
    '## Machines',
  ])
})
