import { describe, expect, inject, it } from 'vitest'
import type {} from '../../tools/testing/create-postgres-database.ts'
import { benchmarks } from './benchmarks.ts'
import { runBenchmark } from './measure.ts'
import { toMarkdown } from './report.ts'

/** The smallest possible run. Its figures mean nothing. */
const instant = { rounds: 1, seconds: 0.03, warmUp: false, share: 0.002, tell: () => {} }

describe.each(benchmarks)('the benchmark $name', (benchmark) => {
  it('runs, and every contender responds correctly', { timeout: 120_000 }, async ({ signal }) => {
    const postgres = { url: inject('postgresUrl'), template: inject('postgresTemplate') }
    const result = await runBenchmark(benchmark, { ...instant, postgres }, 'a machine', signal)
    const measured = [...result.held.slice(0, 2), ...result.table.slice(1)]
    expect(measured.length).toBeGreaterThan(0)
    for (const [what = '', value = ''] of measured) {
      // In so short a run, a difference may be negative, and a ratio may show as 0.00×.
      const least = what.includes(' − ') ? Number.NEGATIVE_INFINITY : value.endsWith('×') ? 0 : Number.MIN_VALUE
      expect(Number.parseFloat(value)).toBeGreaterThanOrEqual(least)
    }
    expect(toMarkdown(result)).toContain(`## ${benchmark.title}`)
  })
})
