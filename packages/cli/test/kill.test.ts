import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { UserProfile } from '@countersign/core'
import { createTestUser, fakeClock, validPayloads } from '@countersign/core/testing'
import { openStorage, readConfig } from '@countersign/server'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { directClient, statusOf, strangers, tokenStatus } from '../src/testing/over-http.ts'
import { createWorkplace, type Workplace } from '../src/testing/run-command.ts'
import { type StartedServer, startServer } from '../src/testing/start-server.ts'
import { isUnanswered, type Ledger, openLedger } from './ledger.ts'
import { limitConcurrency } from './limit-concurrency.ts'
import { liveAStory, type PushTokens } from './story.ts'

vi.setConfig({ testTimeout: 170_000, hookTimeout: 60_000 })

const KILLS = 5
const AT_ONCE = 6
const USERS = 250
/** The least and the greatest number of responses before a server is killed. */
const LIFE = { shortest: 40, longest: 120 }
/** The limit of the category in which an address asks for challenges. */
const LIMIT = { burst: 60, refillMs: 1000 }

let here: Workplace
let server: StartedServer | undefined
beforeAll(() => {
  here = createWorkplace({ COUNTERSIGN_TRUST_PROXY: '1' })
})
afterAll(async () => {
  await server?.stop('SIGKILL')
  here.remove()
})

/** Opens the core on the database of the workplace while no server uses it. */
const withCore = async <T>(work: (test: TestCountersign) => Promise<T>): Promise<T> => {
  const { databaseUrl, jwtKeys, encryptionKeys } = readConfig(here.env)
  if (jwtKeys === undefined || encryptionKeys === undefined) throw new Error('the workplace has no keys')
  const storage = await openStorage(databaseUrl)
  try {
    await storage.migrate()
    return await work(await createTestCountersign({ storage, jwtKeys, encryptionKeys, clock: fakeClock(Date.now()) }))
  } finally {
    await storage.close()
  }
}

/** Checks a copy of the database. Opening the database itself would do the recovery that the next server should do. */
const expectIntegrity = (kill: number): void => {
  const copy = join(here.directory, `copy-${kill}`)
  for (const suffix of ['', '-wal']) cpSync(join(here.directory, `countersign.db${suffix}`), `${copy}${suffix}`)
  const database = new DatabaseSync(copy)
  try {
    expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    expect(database.prepare('pragma foreign_key_check').all()).toEqual([])
  } finally {
    database.close()
  }
}

const kinds = [
  ...['device', 'approval', 'rejection', 'logout', 'removal'],
  ...['registration challenge', 'login challenge', 'refresh token', "device's refresh token"].map((token) => `${token}, spent`),
]

/** Returns whether every kind of change was acknowledged at least once. */
const areAllNoted = (ledgers: readonly Ledger[]): boolean =>
  kinds.every((kind) => ledgers.some(({ noted }) => noted.includes(kind)))

/** Repeats the work until the server no longer responds. */
const untilKilled = async (work: () => Promise<void>): Promise<void> => {
  try {
    for (;;) await work()
  } catch (error) {
    if (!isUnanswered(error)) throw error
  }
}

const begin = async (): Promise<StartedServer> => {
  server = await startServer(here)
  return server
}

it(`every change that ${KILLS} servers acknowledged before they were killed is kept, and used tokens stay used`, async () => {
  const given = await withCore(async (test) => {
    const users: UserProfile[] = []
    for (let user = 0; user < USERS; user += 1) users.push(await createTestUser(test))
    const issue = () => test.countersign.serviceTokens.issue({ service: 'billing' })
    return { users, kept: await issue(), revoked: await issue() }
  })
  const fresh = given.users.map(({ email }) => email)
  const pushTokens: PushTokens = new Map()
  const ledgers: Ledger[] = []
  const anAddress = { startedAt: Date.now(), accepted: 0, unanswered: 0 }

  /**
   * One life of a server: the test checks its state, puts it under load, and kills it at a random moment. The first server lives
   * until every kind of change was acknowledged.
   */
  const live = async (kill: number, last: readonly Ledger[]): Promise<readonly Ledger[]> => {
    const { url, stop } = await begin()
    const ageless = directClient(url)
    expect(await tokenStatus(ageless, given.kept.token)).toBe(200)
    expect(await tokenStatus(ageless, given.revoked.token)).toBe(kill === 0 ? 200 : 401)
    await limitConcurrency(last, (ledger) => ledger.check(strangers(url)))

    let answersLeft = LIFE.shortest + Math.floor(Math.random() * (LIFE.longest - LIFE.shortest))
    let worked = (): void => {}
    const enough = new Promise<void>((resolve) => {
      worked = resolve
    })
    const client = strangers(url, () => {
      answersLeft -= 1
      if (answersLeft <= 0 && (kill > 0 || areAllNoted(opened))) worked()
    })
    const opened: Ledger[] = []
    const users = Array.from({ length: AT_ONCE }, () =>
      untilKilled(async () => {
        const email = fresh.pop()
        if (email === undefined) throw new Error('there are too few users')
        const ledger = openLedger(email)
        opened.push(ledger)
        await liveAStory(ledger, client, pushTokens)
      }),
    )
    const limited = untilKilled(async () => {
      anAddress.unanswered += 1
      const status = await statusOf(ageless.mobile.beginLogin({ deviceFingerprint: 'nobody has this' }))
      anAddress.unanswered -= 1
      expect(status).toBeOneOf([200, 429])
      if (status === 200) anAddress.accepted += 1
    })
    const killed = enough.then(async () => {
      if (kill === 0) await here.json(['service-token', 'revoke', given.revoked.id])
      // The kill does not always follow a response directly.
      await pause(Math.random() * 20)
      await stop('SIGKILL')
    })
    await Promise.all([...users, limited, killed])
    expectIntegrity(kill)
    return opened
  }

  let last: readonly Ledger[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    last = await live(kill, last)
    ledgers.push(...last)
  }

  const { url, stop } = await begin()
  await limitConcurrency(ledgers, (ledger) => ledger.check(strangers(url)))
  expect(await tokenStatus(directClient(url), given.revoked.token)).toBe(401)
  expect(await stop('SIGTERM')).toBe(0)

  expect(areAllNoted(ledgers)).toBe(true)

  const refilled = Math.floor((Date.now() - anAddress.startedAt) / LIMIT.refillMs)
  expect(anAddress.accepted).toBeLessThanOrEqual(LIMIT.burst + refilled)
  expect(anAddress.accepted).toBeGreaterThanOrEqual(LIMIT.burst - anAddress.unanswered)

  const sent = await withCore(async (test) => {
    for (const { id: userId } of given.users) {
      const payment = { actionType: 'payment_approval', actionPayload: validPayloads.payment_approval } as const
      await test.countersign.confirmations.initiate({ caller: { userId }, ...payment })
    }
    await test.background.drain()
    return new Map(test.push.sent.map(({ deviceId, pushToken }) => [deviceId, pushToken]))
  })
  expect(sent.size).toBeGreaterThan(0)
  for (const [deviceId, possible] of pushTokens) expect(sent.get(deviceId)).toBeOneOf([...possible])
})
