import type { Client } from '@countersign/client-sdk'
import { type LiveEvent, liveEvents } from '@countersign/client-sdk/events'
import { createTestUser } from '@countersign/core/testing'
import type { OpenCountersign } from '@countersign/server'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createPostgresDatabase, type PostgresDatabase } from '../../../tools/testing/create-postgres-database.ts'
import { A_SECOND } from '../../../tools/testing/within-a-second.ts'
import { openCore } from '../src/testing/open-core.ts'
import { announcePhone, directClient, logIn, signLogin, signPayment, tokenStatus } from '../src/testing/over-http.ts'
import { createWorkplace, type Workplace } from '../src/testing/run-command.ts'
import { type StartedServer, startServer } from '../src/testing/start-server.ts'
import { countOf, expectLimit, expectRefused, overAll, signInWithPhone } from './many-servers.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

describe.each(['SQLite', 'PostgreSQL'] as const)('two servers on one %s database', (name) => {
  let here: Workplace
  let database: PostgresDatabase | undefined
  let core: OpenCountersign
  const servers = new Map<Client, StartedServer>()
  /** A client of one of the two servers without limits. */
  let one: Client
  let other: Client
  /** Clients of the two servers with limits. */
  let limited: readonly Client[]

  const start = async (limits: 'on' | 'off'): Promise<Client> => {
    const server = await startServer({ ...here, env: { ...here.env, COUNTERSIGN_RATE_LIMITS: limits } })
    const client = directClient(server.url)
    servers.set(client, server)
    return client
  }

  beforeAll(async () => {
    if (name === 'PostgreSQL') database = await createPostgresDatabase()
    here = createWorkplace(database === undefined ? {} : { COUNTERSIGN_DATABASE_URL: database.url })
    core = await openCore(here)
    const [first, second, third, fourth] = await Promise.all([start('off'), start('off'), start('on'), start('on')])
    one = first
    other = second
    limited = [third, fourth]
  })
  afterAll(async () => {
    await Promise.all([...servers.values()].map((server) => server.stop('SIGKILL')))
    await core?.close()
    await database?.drop()
    here?.remove()
  })

  const givenUser = () => signInWithPhone(core, [one, other])

  it('within a second after a logout, the other server refuses the session, which it had in its cache', async () => {
    const { web, mobile } = await givenUser()
    let lastGood = 0
    let isOver = false
    const asking = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const sentAt = performance.now()
        if ((await tokenStatus(other, web.accessToken)) === 200) lastGood = Math.max(lastGood, sentAt)
      }
    })
    await expect.poll(() => lastGood).toBeGreaterThan(0)
    for (let attempt = 0; attempt < 100; attempt += 1) expect(await tokenStatus(other, mobile.accessToken)).toBe(200)

    await one.auth.logout({ refreshToken: web.refreshToken }, { token: web.accessToken })
    const endedAt = performance.now()
    await expectRefused(other, web.accessToken)
    isOver = true
    await Promise.all(asking)
    expect(lastGood - endedAt, 'the last accepted request was sent within a second').toBeLessThan(A_SECOND)
    expect(await tokenStatus(other, mobile.accessToken), 'another session of the user').toBe(200)
  })

  describe('across both servers', () => {
    it('exactly one of 200 approvals of one confirmation wins', async () => {
      const { web, phone, mobile } = await givenUser()
      const approval = await signPayment(one, web.accessToken, phone)
      const statuses = await overAll([one, other], 200, (client) =>
        client.confirmations.sendApproval(approval, { token: mobile.accessToken }),
      )
      expect([countOf(statuses, 200), countOf(statuses, 410)]).toEqual([1, 199])
    })

    it('exactly one of 100 approvals and 100 rejections wins', async () => {
      const { web, phone, mobile } = await givenUser()
      const approval = await signPayment(one, web.accessToken, phone)
      const { confirmationId } = approval
      const statuses = await overAll([one, other], 200, (client, index) =>
        index % 4 < 2
          ? client.confirmations.sendApproval(approval, { token: mobile.accessToken })
          : client.confirmations.reject(confirmationId, undefined, { token: web.accessToken }),
      )
      expect([countOf(statuses, 200), countOf(statuses, 410)]).toEqual([1, 199])
      const winner = statuses.indexOf(200) % 4 < 2 ? 'approved' : 'rejected'
      for (const client of [one, other])
        expect((await client.confirmations.status({ confirmationId }, { token: web.accessToken })).status).toBe(winner)
    })

    it('exactly one of 200 uses of a refresh token wins, and the others end the session on both servers', async () => {
      const { web } = await givenUser()
      const won: string[] = []
      const statuses = await overAll([one, other], 200, async (client) => {
        won.push((await client.auth.refresh({ refreshToken: web.refreshToken })).accessToken)
      })
      expect([countOf(statuses, 200), countOf(statuses, 401)]).toEqual([1, 199])
      for (const client of [one, other]) await expectRefused(client, won[0] ?? '')
    })

    it('exactly one of 100 logins with one signed challenge wins', async () => {
      const { phone } = await givenUser()
      const login = await signLogin(one, phone)
      const statuses = await overAll([one, other], 100, (client) => client.mobile.finishLogin(login))
      expect([countOf(statuses, 200), countOf(statuses, 401)]).toEqual([1, 99])
    })

    it('exactly one of 50 registrations of one fingerprint wins', async () => {
      const { email } = await createTestUser(core)
      const { accessToken: token } = await logIn(one, email)
      const announced = await Promise.all(Array.from({ length: 50 }, () => announcePhone(one, token, `shared-${email}`)))
      const statuses = await overAll([one, other], 50, async (client, index) =>
        client.devices.finishRegistration(announced[index]?.registration ?? { sessionId: '', signedChallenge: '' }, { token }),
      )
      expect([countOf(statuses, 200), countOf(statuses, 409)]).toEqual([1, 49])
      expect((await other.devices.list({}, { token })).devices).toHaveLength(1)
    })
  })

  describe('both servers together apply one limit', () => {
    it('for the requests of a user', async () => {
      const { email } = await createTestUser(core)
      const { accessToken: token } = await logIn(one, email)
      await expectLimit(limited, { burst: 60, perMinute: 30 }, (client) => client.devices.list({}, { token }))
    })

    it('for the requests from an address', async () => {
      await expectLimit(limited, { burst: 60, perMinute: 60 }, (client) =>
        client.mobile.beginLogin({ deviceFingerprint: 'nobody has this' }),
      )
    })
  })

  // The last test, because it stops a server.
  it.runIf(name === 'PostgreSQL')(
    'a client gets the events of its user from the other server when its own server stops',
    async () => {
      const { web, phone } = await givenUser()
      const [leaving, staying] = [one, other].map((client) => servers.get(client)) as [StartedServer, StartedServer]
      const asked: string[] = []
      let target = leaving.url
      /** A load balancer, which knows when a server is about to stop. */
      const balance = (request: Request) => {
        asked.push(target)
        return fetch(new Request(request.url.replace(leaving.url, target), request))
      }
      const seen: LiveEvent[] = []
      const live = liveEvents({ baseUrl: leaving.url, fetch: balance, accessToken: async () => web.accessToken })
      onTestFinished(live.on((event) => void seen.push(event)))
      await expect.poll(live.isLive).toBe(true)
      target = staying.url
      expect(await leaving.stop('SIGTERM')).toBe(0)
      await expect.poll(() => asked.length > 1 && live.isLive()).toBe(true)
      expect(asked).toEqual([leaving.url, staying.url])
      const { confirmationId } = await signPayment(other, web.accessToken, phone)
      await expect.poll(() => seen).toContainEqual({ type: 'confirmation', id: confirmationId, status: 'pending' })
    },
  )
})
