import { describe, expect, inject, it } from 'vitest'
import type {} from '../../tools/testing/create-postgres-database.ts'
import { benchmarks } from './benchmarks.ts'
import { toMarkdown } from './report.ts'
import { type Result, runBenchmark } from './result.ts'

/** The smallest possible run. Its figures mean nothing. */
const instant = {
  turns: { rounds: 1, seconds: 0.1, warmUpSeconds: 0 },
  share: 0.002,
  projects: { sizes: [10_000, 20_000] },
  tell: () => {},
} as const

const positives = (result: Result): readonly number[] => {
  if (result.kind === 'comparison') return result.contenders.map(({ rate }) => rate.median)
  if (result.kind === 'figures') return result.figures.slice(0, 2).map(({ value }) => value.median)
  return result.rows.flatMap(({ times }) => times.map(({ median }) => median))
}

describe.each(benchmarks)('the benchmark $name', (benchmark) => {
  it('runs, and every contender responds correctly', { timeout: 120_000 }, async () => {
    const result = await runBenchmark(benchmark, { ...instant, postgresUrl: inject('postgresUrl') }, 'a machine')
    expect(positives(result).length).toBeGreaterThan(0)
    for (const value of positives(result)) expect(value).toBeGreaterThan(0)
    if (benchmark.kind === 'comparison' && result.kind === 'comparison') {
      const names = result.contenders.map(({ contender }) => contender)
      for (const { of, to } of benchmark.targets) expect(names).toEqual(expect.arrayContaining([of, to]))
    }
    expect(toMarkdown(result)).toContain(`## ${benchmark.title}`)
  })
})
