import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@countersign/client-sdk'
import { createTestUser } from '@countersign/core/testing'
import type { OpenCountersign } from '@countersign/server'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createPostgresDatabase, type PostgresDatabase } from '../../../tools/testing/create-postgres-database.ts'
import { expectWithinASecond } from '../../../tools/testing/within-a-second.ts'
import { openCore } from '../src/testing/open-core.ts'
import { directClient, logIn, phoneLogin, signPayment, statusOf, tokenStatus } from '../src/testing/over-http.ts'
import { createWorkplace, type Workplace } from '../src/testing/run-command.ts'
import { type StartedServer, startServer } from '../src/testing/start-server.ts'
import { countOf, expectRefused, overAll, signInWithPhone } from './many-servers.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const ROUNDS = 20

describe('four servers on one database', () => {
  let here: Workplace
  let database: PostgresDatabase
  let core: OpenCountersign
  let servers: readonly StartedServer[] = []
  let clients: readonly Client[]
  beforeAll(async () => {
    database = await createPostgresDatabase()
    here = createWorkplace({ COUNTERSIGN_DATABASE_URL: database.url, COUNTERSIGN_RATE_LIMITS: 'off' })
    // The servers start together on an empty database, and one of them migrates it.
    servers = await Promise.all(Array.from({ length: 4 }, () => startServer(here)))
    core = await openCore(here)
    clients = servers.map(({ url }) => directClient(url))
  })
  // The reason for a 503 is only in the logs.
  afterEach(({ task }) => {
    if (task.result?.state !== 'fail') return
    const reasons = servers.flatMap(({ lines }) => lines.filter((line) => line.includes('request_unavailable')))
    process.stdout.write(`${task.name}: ${reasons.length} requests were refused with 503\n${reasons.slice(0, 20).join('\n')}\n`)
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop('SIGKILL')))
    await core?.close()
    await database?.drop()
    here?.remove()
  })

  it(`accept exactly one of 60 approvals of a confirmation, in each of ${ROUNDS} rounds`, async () => {
    const [first] = clients as readonly [Client]
    const { web, phone, mobile } = await signInWithPhone(core, clients)
    for (let round = 0; round < ROUNDS; round += 1) {
      const approval = await signPayment(first, web.accessToken, phone)
      const statuses = await overAll(clients, 60, (client) =>
        client.confirmations.sendApproval(approval, { token: mobile.accessToken }),
      )
      expect([countOf(statuses, 200), countOf(statuses, 410)]).toEqual([1, 59])
    }
  })

  it('check products against a schema within a second of its activation', async () => {
    const file = join(here.directory, 'hardware.json')
    const schema = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', required: ['weight'] }
    writeFileSync(file, JSON.stringify({ ...schema, properties: { weight: { type: 'number' } } }))
    const { email } = await createTestUser(core, { permissions: ['project.*'] })
    const { id: customerId } = await core.countersign.customers.create({ name: 'ACME GmbH', email: 'office@acme.test' })
    const [first] = clients as readonly [Client]
    const { accessToken: token } = await logIn(first, email)
    const create = (client: Client) =>
      statusOf(
        client.projects.create(
          {
            name: 'Bridge',
            customerId,
            contractValue: 1000,
            currency: 'EUR',
            products: [{ name: 'Beam', productType: 'hardware', attributes: { weight: 1 } }],
          },
          { token },
        ),
      )
    await here.json(['schema', 'register', file, '--type', 'hardware', '--version', '1.0.0', '--inactive'])
    for (const client of clients) expect(await create(client)).toBe(400)
    await here.json(['schema', 'activate', 'product_schema:hardware:v1.0.0'])
    await Promise.all(clients.map((client) => expectWithinASecond(async () => (await create(client)) === 200)))
  })

  it('all refuse ended sessions within a second, even while their LISTEN connections are cut again and again', async () => {
    const { web, phone } = await signInWithPhone(core, clients)
    const [first] = clients as readonly [Client]
    const admin = new pg.Client({ connectionString: database.url })
    await admin.connect()
    try {
      let ended = 0
      let isOver = false
      const ending = (async () => {
        while (!isOver) {
          const { rowCount } = await admin.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and application_name = 'countersign-listener'`,
          )
          ended += rowCount ?? 0
          await pause(150)
        }
      })()
      for (let round = 0; round < ROUNDS; round += 1) {
        const { accessToken, refreshToken } = await phoneLogin(first, phone)
        for (const client of clients) expect(await tokenStatus(client, accessToken)).toBe(200)
        await first.auth.logout({ refreshToken }, { token: accessToken })
        await Promise.all(clients.map((client) => expectRefused(client, accessToken)))
      }
      isOver = true
      await ending
      expect(ended).toBeGreaterThan(clients.length)
      for (const client of clients) expect(await tokenStatus(client, web.accessToken)).toBe(200)
    } finally {
      await admin.end()
    }
  })
})
