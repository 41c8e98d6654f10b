import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { repository } from '../../tools/workspace.ts'
import { benchmarks } from './benchmarks/index.ts'
import { describeMachine, describeVersions } from './report/environment.ts'
import type { Result } from './report/result.ts'
import { toMarkdown } from './report/tables.ts'
import { writeReport } from './report/write.ts'
import { runBenchmark } from './run-benchmarks.ts'

const help = `Usage: npm run bench [-- <name>…] [options]

Measures what the hot paths cost, each beside what people would use instead, and writes the
figures to docs/benchmarks.md and docs/benchmarks.json. Names pick some:

${benchmarks.map(({ name, title }) => `  ${name.padEnd(22)} ${title}`).join('\n')}

  --rounds <n>         rounds of each contender, taken in turns (7)
  --seconds <n>        length of a round (3)
  --wrk                send requests by wrk, which must be installed, not by autocannon
  --projects <n>,…     how many projects lists are asked of (10000,100000,1000000)
  --keep <directory>   keep the databases of lists there, and use them again
  --out <directory>    where the report is written (docs)`

const options = {
  rounds: { type: 'string', default: '7' },
  seconds: { type: 'string', default: '3' },
  wrk: { type: 'boolean', default: false },
  projects: { type: 'string', default: '10000,100000,1000000' },
  keep: { type: 'string' },
  out: { type: 'string', default: join(repository, 'docs') },
  help: { type: 'boolean', short: 'h' },
} as const

const readCount = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`a number from 1 up is asked for, not ${text}`)
  return Number(text)
}

/** Formats minutes and seconds. */
const clock = (milliseconds: number): string => {
  const seconds = Math.floor(milliseconds / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

const pick = (names: readonly string[]) => {
  const unknown = names.find((name) => benchmarks.every((benchmark) => benchmark.name !== name))
  if (unknown !== undefined) throw new Error(`there is no benchmark ${unknown}; --help names them`)
  return names.length === 0 ? benchmarks : benchmarks.filter(({ name }) => names.includes(name))
}

const measureAll = async (args: readonly string[]): Promise<void> => {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  if (values.help) return console.log(help)
  const picked = pick(positionals)
  if (values.wrk && spawnSync('wrk', ['--version']).error !== undefined) throw new Error('wrk is not installed')
  const seconds = readCount(values.seconds)
  const bench = {
    turns: { rounds: readCount(values.rounds), seconds, warmUpSeconds: seconds },
    share: 1,
    program: 'built' as const,
    awake: true,
    wrk: values.wrk,
    projects: { sizes: values.projects.split(',').map(readCount), ...(values.keep !== undefined && { keepIn: values.keep }) },
  }
  const results: Result[] = []
  const begunAt = performance.now()
  for (const benchmark of picked) {
    const head = { measuredAt: new Date().toISOString(), machine: describeMachine() }
    const tell = (what: string): void => console.error(`${clock(performance.now() - begunAt)} ${benchmark.name}: ${what}`)
    const result = await runBenchmark(benchmark, { ...bench, tell }, head)
    console.log(`${toMarkdown(result)}\n`)
    results.push(result)
    // Each result is written immediately, so that a later failure loses none.
    writeReport(values.out, results, { versions: describeVersions(), order: benchmarks.map(({ name }) => name) })
  }
}

/** Runs benchmarks. Resolves with the exit code. */
export const run = async (args: readonly string[]): Promise<number> => {
  try {
    await measureAll(args)
    return 0
  } catch (error) {
    if (!(error instanceof Error)) throw error
    console.error(`error: ${error.message}`)
    return 1
  }
}
