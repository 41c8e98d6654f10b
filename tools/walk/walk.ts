import { mkdtempSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Countersign, generateKeyRing, systemRandom } from '@countersign/core'
import { createLogger, openCountersign, readConfig, serve } from '@countersign/server'
import { repository } from '../workspace.ts'
import { prepare, walks } from './steps.ts'

/** The number of measured requests. Only files that run in each of them count, so that timers of the server add no file. */
const REQUESTS = 3

const source = /^packages\/[^/]+\/src\//

/** Runs the work and returns the source files of which at least one function ran. Loading a module does not count. */
const filesOf = async (inspector: Session, work: () => Promise<unknown>): Promise<ReadonlySet<string>> => {
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await work()
  const { result } = await inspector.post('Profiler.takePreciseCoverage')
  await inspector.post('Profiler.stopPreciseCoverage')
  const ran = result.filter(
    ({ url, functions }) =>
      url.startsWith('file:') &&
      // A module itself is the nameless function that begins with the file.
      functions.some(({ functionName, ranges: [range] }) => {
        const isModule = functionName === '' && range?.startOffset === 0
        return !isModule && range !== undefined && range.count > 0
      }),
  )
  const files = ran.map(({ url }) => relative(repository, fileURLToPath(url)).replaceAll('\\', '/'))
  return new Set(files.filter((file) => source.test(file)))
}

/** Returns the files of a walk on a server of its own, which works on SQLite with default settings. */
const walk = async (name: string): Promise<readonly string[]> => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-walk-'))
  const config = readConfig({
    COUNTERSIGN_DATABASE_URL: `sqlite:${join(directory, 'walk.db')}`,
    COUNTERSIGN_JWT_KEYS: generateKeyRing(systemRandom),
    COUNTERSIGN_ENCRYPTION_KEYS: generateKeyRing(systemRandom),
    COUNTERSIGN_DRAIN_SECONDS: '0',
  })
  const logger = createLogger('silent')
  const server = await serve(config, { logger, signals: false, port: 0 })
  const opened = await openCountersign(config, { logger })
  const inspector = new Session()
  inspector.connect()
  try {
    const given = await prepare(opened.countersign as Countersign, server.url)
    const start = walks[name]
    if (start === undefined) throw new Error(`there is no walk ${name}`)
    // The first request loads modules and prepares queries.
    await (await start(given))()
    await inspector.post('Profiler.enable')
    let files: readonly string[] | undefined
    for (let request = 0; request < REQUESTS; request += 1) {
      const ran = await filesOf(inspector, await start(given))
      files = (files ?? [...ran]).filter((file) => ran.has(file))
    }
    return (files ?? []).toSorted()
  } finally {
    inspector.disconnect()
    await opened.close()
    await server.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

const names = process.argv.slice(2)
if (names.length === 0 || names.some((name) => !(name in walks))) {
  console.error(`Usage: npm run walk -- ${Object.keys(walks).join('|')}`)
  process.exit(2)
}
for (const name of names) {
  const files = await walk(name)
  const counts = Map.groupBy(files, (file) => file.split('/')[1] ?? '')
  console.log(files.join('\n'))
  console.log(`${name}: ${files.length} files (${[...counts].map(([one, { length }]) => `${one} ${length}`).join(', ')})`)
}
