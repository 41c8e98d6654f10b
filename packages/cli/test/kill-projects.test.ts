import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createTestUser, testPassword } from '@countersign/core/testing'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openCore } from '../src/testing/open-core.ts'
import { directClient, statusOf } from '../src/testing/over-http.ts'
import { createWorkplace, type Workplace } from '../src/testing/run-command.ts'
import { type StartedServer, startServer } from '../src/testing/start-server.ts'
import { isUnanswered } from './ledger.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const KILLS = 5
const AT_ONCE = 6

let here: Workplace
let server: StartedServer | undefined
const email = 'ada@countersign.example'
let customerId: string
beforeAll(async () => {
  here = createWorkplace({ COUNTERSIGN_RATE_LIMITS: 'off' })
  const core = await openCore(here)
  await createTestUser(core, { email, permissions: ['project.*'] })
  customerId = (await core.countersign.customers.create({ name: 'ACME GmbH', email: 'office@acme.example' })).id
  await core.close()
})
afterAll(async () => {
  await server?.stop('SIGKILL')
  here.remove()
})

/** The acknowledged state: codes of existing projects with their status. Deleted projects have no entry. */
const statusByCode = new Map<string, string>()
const gone = new Set<string>()

const begin = async () => {
  server = await startServer(here)
  const client = directClient(server.url)
  const { accessToken: token } = await client.auth.login({ email, password: testPassword })
  return { client, token, stop: server.stop }
}

/** Expects that single projects, lists and totals agree with the acknowledged state. */
const expectAcknowledgedState = async ({ client, token }: Awaited<ReturnType<typeof begin>>): Promise<void> => {
  for (const [uniqueCode, status] of statusByCode) {
    expect((await client.projects.get({ uniqueCode }, { token })).data.status).toBe(status)
  }
  for (const uniqueCode of gone) expect(await statusOf(client.projects.get({ uniqueCode }, { token }))).toBe(404)

  const codes: string[] = []
  for (let page = 1; ; page += 1) {
    const { data, meta } = await client.projects.list({ page: String(page), limit: '100', sortBy: 'unique_code' }, { token })
    codes.push(...data.map(({ uniqueCode }) => uniqueCode))
    if (page >= meta.totalPages) {
      expect(codes).toHaveLength(meta.total)
      break
    }
  }
  expect(new Set(codes).size).toBe(codes.length)
  for (const uniqueCode of statusByCode.keys()) expect(codes).toContain(uniqueCode)
  for (const uniqueCode of gone) expect(codes).not.toContain(uniqueCode)
  const { meta } = await client.projects.list({ search: 'BRIDGE' }, { token })
  expect(meta.total).toBe(codes.length)
}

it(`every project change that ${KILLS} servers acknowledged before they were killed is kept, as a whole`, async () => {
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { client, token, stop } = await begin()
    await expectAcknowledgedState({ client, token, stop })
    let answersLeft = 30 + Math.floor(Math.random() * 90)
    let dead: Promise<unknown> | undefined
    const answered = (): void => {
      answersLeft -= 1
      if (answersLeft === 0) dead = stop('SIGKILL')
    }
    const live = async (): Promise<void> => {
      const products = [
        { name: 'Planner', productType: 'software', attributes: { name: 'Planner', version: '1.0.0', licenseType: 'site' } },
      ]
      const body = { name: 'Bridge', customerId, contractValue: 1, currency: 'EUR', products }
      for (let turn = 0; ; turn += 1) {
        const { uniqueCode } = (await client.projects.create(body, { token })).data
        statusByCode.set(uniqueCode, 'pending')
        answered()
        if (turn % 3 === 1) {
          // Without a response, the change may have happened or not.
          statusByCode.delete(uniqueCode)
          await client.projects.approve({ uniqueCode }, { token })
          statusByCode.set(uniqueCode, 'approved')
          answered()
        } else if (turn % 3 === 2) {
          statusByCode.delete(uniqueCode)
          await client.projects.remove({ uniqueCode }, { token })
          gone.add(uniqueCode)
          answered()
        }
      }
    }
    const lives = await Promise.allSettled(Array.from({ length: AT_ONCE }, live))
    for (const each of lives) if (each.status === 'rejected' && !isUnanswered(each.reason)) throw each.reason
    await dead
  }

  const last = await begin()
  await expectAcknowledgedState(last)
  await last.stop('SIGTERM')
  server = undefined
  const database = new DatabaseSync(join(here.directory, 'countersign.db'), { readOnly: true })
  expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  // A project is created as a whole or not at all: each has its product.
  expect(
    database
      .prepare('select count(*) as count from countersign_projects where id not in (select project_id from countersign_products)')
      .get(),
  ).toEqual({ count: 0 })
  database.close()
  expect(statusByCode.size).toBeGreaterThan(KILLS)
  expect(gone.size).toBeGreaterThan(0)
})
