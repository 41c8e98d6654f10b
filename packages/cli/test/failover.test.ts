import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { type PostgresServer, startPostgres } from '../../../tools/testing/start-postgres.ts'
import { promote, STANDBY, startStandby } from '../../../tools/testing/start-standby.ts'
import { openCore } from '../src/testing/open-core.ts'
import { createWorkplace, type Workplace } from '../src/testing/run-command.ts'
import { type StartedServer, startServer } from '../src/testing/start-server.ts'
import { figuresOf, openLoad, printFigures } from './load.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const PEOPLE = 8
/** Milliseconds of load before the failover. */
const AT_WORK = 2000
const UNTIL_PROMOTED = 1000
const LONGEST_ANSWER = 5000
const LONGEST_RETURN = 5000

const durable = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }

let primary: PostgresServer
let standby: PostgresServer
let here: Workplace
let servers: readonly StartedServer[] = []
beforeAll(async () => {
  primary = await startPostgres({ settings: { ...durable, synchronous_standby_names: STANDBY } })
  standby = await startStandby(primary, durable)
  here = createWorkplace({
    COUNTERSIGN_DATABASE_URL: `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres?target_session_attrs=read-write`,
    COUNTERSIGN_RATE_LIMITS: 'off',
  })
  servers = await Promise.all([startServer(here), startServer(here)])
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop('SIGKILL')))
  await standby?.remove()
  await primary?.remove()
  here?.remove()
})

it('after the primary is killed, its standby takes over, and no acknowledged change is lost', async () => {
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
  await pause(AT_WORK)
  const from = load.now()
  await primary.stop('immediate')
  await pause(UNTIL_PROMOTED)
  await promote(standby)
  const to = load.now()
  await pause(AT_WORK)
  isOver.abort()
  await running

  const figures = figuresOf(load.answers, [{ from, to }])
  const held = await load.check()
  printFigures('failover to a synchronous standby under load', { ...held, ...figures })
  expect(figures.refusals).toEqual(['503, with Retry-After'])
  expect(figures.longestAnswer).toBeLessThan(LONGEST_ANSWER)
  for (const time of figures.firstSuccessAfterReturn) expect(time).toBeLessThan(LONGEST_RETURN)
  expect(held.approvals).toBeGreaterThan(10)
  expect(await Promise.all(servers.map((server) => server.stop('SIGTERM')))).toEqual([0, 0])
})
