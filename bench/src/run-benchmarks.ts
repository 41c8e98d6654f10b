import type { Benchmark } from './benchmarks/benchmark.ts'
import { type Bench, type BenchOptions, openBench } from './harness/bench.ts'
import { keepAwake } from './harness/keep-cores-awake.ts'
import { takeTurns } from './harness/take-turns.ts'
import { contenderResult, figureResult, growthResultRow, type Head, headOf, type Result, targetResult } from './report/result.ts'

const measure = async (benchmark: Benchmark, bench: Bench, head: Head): Promise<Result> => {
  const known = headOf(benchmark, head)
  switch (benchmark.kind) {
    case 'figures': {
      const figures = await benchmark.measure(bench)
      return { ...known, kind: 'figures', figures: figures.map(figureResult) }
    }
    case 'growth': {
      const { sizes, rows } = await benchmark.measure(bench)
      return { ...known, kind: 'growth', sizes, rows: rows.map((row) => growthResultRow(row, sizes)) }
    }
    case 'comparison': {
      const contenders = await benchmark.open(bench)
      const rounds = await takeTurns(contenders, bench.turns, bench.tell)
      const roundsOf = (name: string) => rounds[contenders.findIndex((contender) => contender.name === name)] ?? []
      return {
        ...known,
        kind: 'comparison',
        rounds: bench.turns.rounds,
        seconds: bench.turns.seconds,
        contenders: contenders.map(({ name }) => contenderResult(name, roundsOf(name))),
        targets: benchmark.targets.flatMap((target) => targetResult(target, roundsOf(target.of), roundsOf(target.to)) ?? []),
      }
    }
  }
}

/** Runs one benchmark on a new bench and removes the bench. */
export const runBenchmark = async (benchmark: Benchmark, options: BenchOptions, head: Omit<Head, 'driver'>): Promise<Result> => {
  const bench = openBench(options)
  if (bench.awake) bench.own(keepAwake())
  try {
    return await measure(benchmark, bench, { ...head, driver: options.wrk ? 'wrk' : 'autocannon' })
  } finally {
    await bench.close()
  }
}
