import { describe, expect, it } from 'vitest'
import type { GrowthResultRow, Result } from './result.ts'
import { toSummary } from './tables.ts'

const head = { about: '', measuredAt: '2026-01-01T00:00:00.000Z', machine: '', driver: '' }
const exactly = (median: number) => ({ median, low: median, high: median })

const comparison: Result = {
  ...head,
  kind: 'comparison',
  name: 'verify',
  title: 'Verifications',
  rounds: 7,
  seconds: 3,
  contenders: [],
  targets: [{ of: 'ours', to: 'theirs', bound: 0.5, means: '', value: { median: 0.612, low: 0.6, high: 0.63 }, holds: true }],
}

const figures: Result = {
  ...head,
  kind: 'figures',
  name: 'start',
  title: 'Start',
  figures: [
    { what: 'first answer', unit: 'ms', most: 400, value: exactly(512), holds: false },
    { what: 'of interest', unit: 'MB', value: exactly(1) },
  ],
}

const list = (what: string, held?: GrowthResultRow['held']): GrowthResultRow => ({
  what,
  first: [],
  times: [],
  ...(held && { held }),
})

const growth: Result = {
  ...head,
  kind: 'growth',
  name: 'lists',
  title: 'Lists',
  sizes: [],
  rows: [
    list('all', { what: '≤ 1.5 × the time at 10,000', value: 1.1, holds: true }),
    list('of a customer', { what: '≤ 1.5 × the time at 10,000', value: 1.6, holds: false }),
    list('search', { what: '≤ 15 ms', value: 9, holds: true }),
    list('search with one match'),
  ],
}

describe('the summary', () => {
  const rows = toSummary([comparison, figures, growth]).split('\n')

  it('counts the targets and those that are met', () => {
    expect(rows).toContain('2 of 4 targets are met.')
  })

  it('has a row for each target, with the measured value', () => {
    expect(rows).toContain('| Verifications | ours ÷ theirs | 0.61 (0.60–0.63)× | ≥ 0.5× | yes |')
    expect(rows).toContain('| Start | first answer | 512 (512–512) ms | ≤ 400 ms | **no** |')
  })

  it('shows the worst of the lists that share a target', () => {
    expect(rows).toContain('| Lists | the slowest of 2: of a customer | 1.60 | ≤ 1.5 × the time at 10,000 | **no** |')
    expect(rows).toContain('| Lists | search | 9.00 | ≤ 15 ms | yes |')
  })

  it('omits measurements without a target', () => {
    expect(rows.join()).not.toMatch(/of interest|search with one match/)
  })
})
