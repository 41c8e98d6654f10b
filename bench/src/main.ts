import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { availableParallelism, cpus, release, type } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { repository } from '../../tools/workspace.ts'
import { benchmarks } from './benchmarks.ts'
import { type Result, runBenchmark } from './measure.ts'
import { toMarkdown, writeReport } from './report.ts'

const help = `Usage: npm run bench [-- <name>…] [options]

Measures what the hot paths cost, each beside what people would use instead, and writes the
figures to docs/benchmarks.md and docs/benchmarks.json. Names pick some:

${benchmarks.map(({ name, title }) => `  ${name.padEnd(22)} ${title}`).join('\n')}

  --rounds <n>         rounds of each contender, taken in turns (7)
  --seconds <n>        length of a round (3)
  --out <directory>    where the report is written (docs)`

const options = {
  rounds: { type: 'string', default: '7' },
  seconds: { type: 'string', default: '3' },
  out: { type: 'string', default: join(repository, 'docs') },
  help: { type: 'boolean', short: 'h' },
} as const

const readCount = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`a number from 1 up is asked for, not ${text}`)
  return Number(text)
}

const describeVersions = (): string => {
  const versionOf = (name: string): string => {
    const manifest = readFileSync(findPackageJSON(name, import.meta.url) ?? '', 'utf8')
    return `${name} ${(JSON.parse(manifest) as { readonly version: string }).version}`
  }
  return ['hono', '@hono/node-server', 'better-auth', 'oidc-provider', 'better-sqlite3', '@node-rs/argon2', 'pg']
    .map(versionOf)
    .join(', ')
}

const measureAll = async (): Promise<void> => {
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  if (values.help) return console.log(help)
  const unknown = positionals.find((name) => benchmarks.every((benchmark) => benchmark.name !== name))
  if (unknown !== undefined) throw new Error(`there is no benchmark ${unknown}; --help names them`)
  const turns = { rounds: readCount(values.rounds), seconds: readCount(values.seconds), warmUp: true, share: 1 }
  const processor = `${availableParallelism()} cores of ${cpus()[0]?.model.trim() ?? 'unknown processor'}`
  const machine = `${processor}, ${type()} ${release()}, Node ${process.versions.node}`
  const results: Result[] = []
  for (const benchmark of benchmarks.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
    const tell = (what: string): void => console.error(`${new Date().toISOString()} ${benchmark.name}: ${what}`)
    const result = await runBenchmark(benchmark, { ...turns, tell }, machine)
    console.log(`${toMarkdown(result)}\n`)
    results.push(result)
    // Each result is written immediately, so that a later failure loses none.
    const order = benchmarks.map(({ name }) => name)
    writeReport(values.out, results, describeVersions(), order)
  }
}

// Ends servers and removes databases, also after a signal.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
await measureAll().catch((error: unknown) => {
  if (!(error instanceof Error)) throw error
  console.error(`error: ${error.message}`)
  process.exit(1)
})
