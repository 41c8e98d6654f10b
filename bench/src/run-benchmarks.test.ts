import { describe, expect, it } from 'vitest'
import { benchmarks } from './benchmarks/index.ts'
import type { Result } from './report/result.ts'
import { toMarkdown } from './report/tables.ts'
import { runBenchmark } from './run-benchmarks.ts'

/** The smallest possible run. Its figures mean nothing. It uses the built program, which starts faster than the sources. */
const instant = {
  turns: { rounds: 1, seconds: 0.5, warmUpSeconds: 0 },
  share: 0.01,
  wrk: false,
  awake: false,
  program: 'built',
  projects: { sizes: [10_000, 20_000] },
  tell: () => {},
} as const

const head = { measuredAt: '2026-01-01T00:00:00.000Z', machine: 'a machine' }

const positives = (result: Result): readonly number[] => {
  switch (result.kind) {
    case 'comparison':
      return result.contenders.map(({ rate }) => rate.median)
    case 'figures':
      return result.figures.slice(0, 2).map(({ value }) => value.median)
    case 'growth':
      return result.rows.flatMap(({ times }) => times.map(({ median }) => median))
  }
}

describe.each(benchmarks)('the benchmark $name', (benchmark) => {
  it('runs, and every contender responds correctly', { timeout: 120_000 }, async () => {
    const result = await runBenchmark(benchmark, instant, head)
    expect(positives(result).length).toBeGreaterThan(0)
    for (const value of positives(result)) expect(value).toBeGreaterThan(0)
    if (benchmark.kind === 'comparison' && result.kind === 'comparison') {
      const names = result.contenders.map(({ contender }) => contender)
      for (const { of, to } of benchmark.targets) expect(names).toEqual(expect.arrayContaining([of, to]))
    }
    expect(toMarkdown(result)).toContain(`## ${benchmark.title}`)
  })
})
