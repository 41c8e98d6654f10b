import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { type PostgresServer, startPostgres } from '../../../tools/testing/start-postgres.ts'
import { openCore } from '../src/testing/open-core.ts'
import { createWorkplace, type Workplace } from '../src/testing/run-command.ts'
import { type StartedServer, startServer } from '../src/testing/start-server.ts'
import { figuresOf, type Outage, openLoad, printFigures } from './load.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const CRASHES = 3
const PEOPLE = 8
/** Milliseconds of load between two crashes. */
const AT_WORK = 1000
const AWAY = 1000
const LONGEST_ANSWER = 5000
const LONGEST_RETURN = 5000

/** Settings with which acknowledged changes survive a crash of the database. */
const durable = { settings: { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' } }

let database: PostgresServer
let here: Workplace
let servers: readonly StartedServer[] = []
beforeAll(async () => {
  database = await startPostgres(durable)
  here = createWorkplace({ COUNTERSIGN_DATABASE_URL: database.url, COUNTERSIGN_RATE_LIMITS: 'off' })
  servers = await Promise.all([startServer(here), startServer(here)])
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop('SIGKILL')))
  await database?.remove()
  here?.remove()
})

const healthOf = async ({ url }: StartedServer): Promise<number> => (await fetch(`${url}/health`)).status

it(`a database that crashes ${CRASHES} times loses no acknowledged change, and no request waits for long`, async () => {
  const core = await openCore(here)
  const load = await openLoad(
    core,
    servers.map(({ url }) => url),
    PEOPLE,
  )
  await core.close()

  const isOver = new AbortController()
  onTestFinished(() => isOver.abort())
  const running = load.run(isOver.signal)
  const outages: Outage[] = []
  let current = database
  for (let crash = 0; crash < CRASHES; crash += 1) {
    await pause(AT_WORK)
    const from = load.now()
    await current.stop('immediate')
    await expect.poll(() => Promise.all(servers.map(healthOf))).toStrictEqual([503, 503])
    await pause(AWAY)
    current = await startPostgres({ ...durable, directory: database.directory, port: database.port })
    outages.push({ from, to: load.now() })
    await expect.poll(() => Promise.all(servers.map(healthOf))).toStrictEqual([200, 200])
  }
  await pause(AT_WORK)
  isOver.abort()
  await running

  const figures = figuresOf(load.answers, outages)
  const held = await load.check()
  printFigures('crashes of PostgreSQL under load', { ...held, ...figures })
  expect(figures.refusals).toEqual(['503, with Retry-After'])
  expect(figures.refusedOutsideOutages).toBe(0)
  expect(figures.longestAnswer).toBeLessThan(LONGEST_ANSWER)
  for (const time of figures.firstSuccessAfterReturn) expect(time).toBeLessThan(LONGEST_RETURN)
  expect(held.approvals).toBeGreaterThan(10)
  expect(await Promise.all(servers.map((server) => server.stop('SIGTERM')))).toEqual([0, 0])
})
