import { describe, expect, inject, it } from 'vitest'
import type {} from '../../tools/testing/create-postgres-database.ts'
import { benchmarks } from './benchmarks.ts'
import { runBenchmark } from './measure.ts'
import { toMarkdown } from './report.ts'

/** The smallest possible run. Its figures mean nothing. */
const instant = {
  turns: { rounds: 1, seconds: 0.1, warmUpSeconds: 0 },
  share: 0.002,
  projects: { sizes: [10_000, 20_000] },
  tell: () => {},
} as const

describe.each(benchmarks)('the benchmark $name', (benchmark) => {
  it('runs, and every contender responds correctly', { timeout: 120_000 }, async () => {
    const result = await runBenchmark(benchmark, { ...instant, postgresUrl: inject('postgresUrl') }, 'a machine')
    // A difference, such as of two sizes of memory, may be negative.
    const measured = [...result.held.slice(0, 2), ...result.table.slice(1)].map(([, value = '']) => value)
    expect(measured.length).toBeGreaterThan(0)
    for (const value of measured) expect(Number.parseFloat(value)).toBeGreaterThan(0)
    expect(toMarkdown(result)).toContain(`## ${benchmark.title}`)
  })
})
