import { renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Client } from '@countersign/client-sdk'
import { generateKeyRing, systemRandom } from '@countersign/core'
import { createTestUser } from '@countersign/core/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openCore } from '../src/testing/open-core.ts'
import { directClient, logIn, phoneLogin, registerPhone, signPayment, statusOf, tokenStatus } from '../src/testing/over-http.ts'
import { createWorkplace, runNode, type Workplace } from '../src/testing/run-command.ts'
import { type StartedServer, startServer } from '../src/testing/start-server.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

let here: Workplace
let file: string
let server: StartedServer | undefined
beforeEach(() => {
  here = createWorkplace({ COUNTERSIGN_RATE_LIMITS: 'off' })
  file = (here.env.COUNTERSIGN_DATABASE_URL ?? '').slice('sqlite:'.length)
})
afterEach(async () => {
  await server?.stop('SIGKILL')
  server = undefined
  here.remove()
})

const start = async (env: Readonly<Record<string, string>> = {}): Promise<Client> => {
  server = await startServer({ ...here, env: { ...here.env, ...env } })
  return directClient(server.url)
}

const givenUser = async (): Promise<string> => {
  const core = await openCore(here)
  const { email } = await createTestUser(core)
  await core.close()
  return email
}

/**
 * Makes a backup as the operations page describes: SQLite copies the database in another process while the server goes on
 * writing.
 */
const backUp = async (): Promise<string> => {
  const copy = `${file}.backup`
  const code = `new (require('node:sqlite').DatabaseSync)(process.argv[1]).prepare('vacuum into ?').run(process.argv[2])`
  const { code: exit } = await runNode(here, process.execPath, ['-e', code, file, copy])
  expect(exit).toBe(0)
  return copy
}

/** Ends the server as a crash would, and replaces its database by the backup, without the files next to it. */
const restore = async (copy: string): Promise<void> => {
  await server?.stop('SIGKILL')
  for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
  renameSync(copy, file)
  const database = new DatabaseSync(file)
  expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  expect(database.prepare('pragma foreign_key_check').all()).toEqual([])
  database.close()
}

/** Logs in and refreshes until stopped. Resolves with the number of rounds. */
const load = (client: Client, email: string) => {
  let isStopped = false
  const work = async (): Promise<number> => {
    for (let times = 0; ; times += 1) {
      if (isStopped) return times
      const { refreshToken } = await logIn(client, email)
      await client.auth.refresh({ refreshToken })
    }
  }
  const workers = [work(), work(), work()]
  return {
    stop: async () => {
      isStopped = true
      return (await Promise.all(workers)).reduce((sum, times) => sum + times, 0)
    },
  }
}

describe('a restored SQLite backup that was taken under load', () => {
  it('has all rows of the moment of the backup, accepts logins, and refuses tokens that were used before the backup', async () => {
    const email = await givenUser()
    const before = await start()
    const spent = await logIn(before, email)
    const { refreshToken: current, accessToken } = await before.auth.refresh({ refreshToken: spent.refreshToken })
    const untouched = await logIn(before, email)
    const { stop } = load(before, email)
    const copy = await backUp()
    expect(await stop()).toBeGreaterThan(0)
    await restore(copy)

    const after = await start()
    expect(await tokenStatus(after, untouched.accessToken)).toBe(200)
    expect(await statusOf(after.auth.refresh({ refreshToken: untouched.refreshToken }))).toBe(200)
    expect(await statusOf(after.auth.refresh({ refreshToken: spent.refreshToken }))).toBe(401)
    expect(await tokenStatus(after, accessToken)).toBe(401)
    expect(await statusOf(after.auth.refresh({ refreshToken: current }))).toBe(401)
    await logIn(after, email)
  })

  it('lacks the changes after the backup; with a new JWT key, no token of that time is accepted', async () => {
    const email = await givenUser()
    const before = await start()
    const web = await logIn(before, email)
    const other = await logIn(before, email)
    const phone = await registerPhone(before, web.accessToken)
    const mobile = await phoneLogin(before, phone)
    const payment = await signPayment(before, web.accessToken, phone)
    const copy = await backUp()

    const { refreshToken: unknown } = await before.auth.refresh({ refreshToken: web.refreshToken })
    await before.auth.refresh({ refreshToken: other.refreshToken })
    await before.confirmations.sendApproval(payment, { token: mobile.accessToken })
    await restore(copy)

    const after = await start()
    // Used after the backup, so the restored database accepts this token again. Its successor is unknown and ends the
    // session.
    expect(await statusOf(after.auth.refresh({ refreshToken: other.refreshToken }))).toBe(200)
    expect(await statusOf(after.auth.refresh({ refreshToken: unknown }))).toBe(401)
    expect(await tokenStatus(after, web.accessToken)).toBe(401)
    // Approved after the backup, so the payment is pending again until its five minutes are over.
    expect(await statusOf(after.confirmations.sendApproval(payment, { token: mobile.accessToken }))).toBe(200)
    await server?.stop('SIGTERM')

    const safe = await start({ COUNTERSIGN_JWT_KEYS: generateKeyRing(systemRandom) })
    for (const { accessToken } of [web, other, mobile]) expect(await tokenStatus(safe, accessToken)).toBe(401)
    expect(await statusOf(safe.auth.refresh({ refreshToken: other.refreshToken }))).toBe(401)
    await logIn(safe, email)
    await phoneLogin(safe, phone)
  })
})
