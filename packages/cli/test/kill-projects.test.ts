import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createTestUser, testPassword } from '@countersign/core/testing'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openCore } from '../src/testing/open-core.ts'
import { directClient, statusOf } from '../src/testing/over-http.ts'
import { createWorkplace, fromSource, type Workplace } from '../src/testing/run-command.ts'
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

/** What was answered: codes that stand, approved or not, and codes that are gone for good. */
const standing = new Map<string, string>()
const gone = new Set<string>()

const begin = async () => {
  server = await startServer(here, fromSource)
  const client = directClient(server.url)
  const { accessToken: token } = await client.auth.login({ email, password: testPassword })
  return { client, token, stop: server.stop }
}

/** What projects say of themselves, one by one, in lists and in totals, agrees with what was answered. */
const expectWhatWasAnswered = async ({ client, token }: Awaited<ReturnType<typeof begin>>): Promise<void> => {
  for (const [uniqueCode, status] of standing) {
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
  for (const uniqueCode of standing.keys()) expect(codes).toContain(uniqueCode)
  for (const uniqueCode of gone) expect(codes).not.toContain(uniqueCode)
  const { meta } = await client.projects.list({ search: 'BRIDGE' }, { token })
  expect(meta.total).toBe(codes.length)
}

it(`what ${KILLS} servers acknowledged of projects that were killed amid their work holds, whole`, async () => {
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { client, token, stop } = await begin()
    await expectWhatWasAnswered({ client, token, stop })
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
        standing.set(uniqueCode, 'pending')
        answered()
        if (turn % 3 === 1) {
          // Unanswered it may have happened or not.
          standing.delete(uniqueCode)
          await client.projects.approve({ uniqueCode }, { token })
          standing.set(uniqueCode, 'approved')
          answered()
        } else if (turn % 3 === 2) {
          standing.delete(uniqueCode)
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
  await expectWhatWasAnswered(last)
  await last.stop('SIGTERM')
  server = undefined
  const database = new DatabaseSync(join(here.directory, 'countersign.db'), { readOnly: true })
  expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  // All of a project or nothing: each has its product.
  expect(
    database
      .prepare('select count(*) as count from countersign_projects where id not in (select project_id from countersign_products)')
      .get(),
  ).toEqual({ count: 0 })
  database.close()
  expect(standing.size).toBeGreaterThan(KILLS)
  expect(gone.size).toBeGreaterThan(0)
})
