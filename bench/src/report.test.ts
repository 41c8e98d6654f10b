import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Round } from './harness/round.ts'
import { toSummary, writeReport } from './report.ts'
import { contenderResult, growthRow, type Result, targetResult } from './result.ts'

const round = (operations: number, extra: Partial<Round> = {}): Round => ({ operations, seconds: 2, ...extra })
const target = { of: 'ours', to: 'theirs', bound: 0.5, means: '' }
const head = { about: '', measuredAt: '2026-01-01T00:00:00.000Z', machine: '' }

it('a contender is summarized by the medians of its rounds, with the middle half of them', () => {
  const rounds = [100, 300, 200, 500, 400].map((operations) => round(operations, { cpuSeconds: operations * 1e-5 }))
  const { rate, cpuMicros, p99 } = contenderResult('ours', rounds)
  expect(rate).toStrictEqual({ median: 150, low: 100, high: 200 })
  expect(cpuMicros?.median).toBeCloseTo(10)
  expect(p99).toBeUndefined()
})

it('two contenders are compared round by round, and miss their target when the median of the ratios does', () => {
  const [result] = targetResult(target, [round(60), round(6), round(55)], [round(100), round(10), round(100)])
  expect(result?.value.median).toBeCloseTo(0.6)
  expect(result?.holds).toBe(true)
  expect(targetResult(target, [round(49)], [round(100)])[0]?.holds).toBe(false)
  const [of, to] = [11, 5].map((p99) => [round(1, { latency: { p50: 1, p99 } })])
  expect(targetResult({ ...target, by: 'p99', bound: 2 }, of ?? [], to ?? [])[0]?.holds).toBe(false)
  const beyond = { ...target, by: 'processor time beyond', bound: 400 } as const
  const [more] = targetResult(beyond, [round(1000, { cpuSeconds: 1.4 })], [round(1000, { cpuSeconds: 1 })])
  expect(more?.value.median).toBeCloseTo(400)
  expect(targetResult(beyond, [round(1)], [round(1)]), 'where the platform does not tell').toEqual([])
})

it('a list is compared with the size that its bound names, if it was measured', () => {
  const rowOf = (comparedTo: number) =>
    growthRow({ what: '', bound: { times: 2, comparedTo } }, [10, 100, 1000], [], [[1], [2], [3]]).held
  expect(rowOf(100)).toMatchObject({ value: 1.5, holds: true })
  expect(rowOf(10)).toMatchObject({ value: 3, holds: false })
  expect(rowOf(5)).toBeUndefined()
})

const comparison: Result = {
  ...head,
  kind: 'comparison',
  name: 'verify',
  title: 'Verifications',
  rounds: 7,
  seconds: 3,
  contenders: [],
  targets: [{ ...target, value: { median: 0.612, low: 0.6, high: 0.63 }, holds: true }],
}
const growth = (...values: readonly number[]): Result => {
  const rows = values.map((value) => ({
    what: `list ${value}`,
    first: [],
    times: [],
    held: { what: '≤ 2 ms', value, holds: value <= 2 },
  }))
  return { ...head, kind: 'growth', name: 'lists', title: 'Lists', sizes: [], rows }
}

it('the summary has a row for each target, and shows the worst of the lists that share one', () => {
  const rows = toSummary([comparison, growth(1, 3, 2)]).split('\n')
  expect(rows).toContain('1 of 2 targets are met.')
  expect(rows).toContain('| Verifications | ours ÷ theirs | 0.61 (0.60–0.63)× | ≥ 0.5× | yes |')
  expect(rows).toContain('| Lists | the slowest of 3: list 3 | 3.00 | ≤ 2 ms | **no** |')
})

it('the report keeps results of other benchmarks in their order, and the text above them', () => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-report-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const path = join(directory, 'benchmarks.md')
  const write = (...results: readonly Result[]) => writeReport(directory, results, 'hono 4', ['verify', 'lists'])
  write(growth(1))
  writeFileSync(path, readFileSync(path, 'utf8').replace('# Benchmarks', '# Benchmarks\n\nBy hand.'))
  write(comparison)
  expect(readFileSync(path, 'utf8')).toMatch(/^# Benchmarks\n\nBy hand\.\n\n<!-- /)
  expect(readFileSync(path, 'utf8').match(/^#.*$/gm)).toStrictEqual([
    '# Benchmarks',
    '## Targets',
    '## Verifications',
    '## Lists',
  ])
})
