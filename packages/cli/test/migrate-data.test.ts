import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@countersign/client-sdk'
import { verifyReceipt } from '@countersign/client-sdk/receipt'
import { generateReceiptKeyRing } from '@countersign/core'
import { createTestUser } from '@countersign/core/testing'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { compileCache } from '../../../tools/testing/compile-cache.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../../../tools/testing/create-postgres-database.ts'
import { openCore } from '../src/testing/open-core.ts'
import {
  directClient,
  logIn,
  phoneLogin,
  registerPhone,
  signLogin,
  signPayment,
  statusOf,
  tokenStatus,
} from '../src/testing/over-http.ts'
import { BUILT_COMMAND, createWorkplace, type Workplace } from '../src/testing/run-command.ts'
import { type StartedServer, startServer } from '../src/testing/start-server.ts'

vi.setConfig({ testTimeout: 170_000, hookTimeout: 60_000 })

let here: Workplace
let database: PostgresDatabase
let move: readonly string[]
let server: StartedServer | undefined
beforeEach(async () => {
  database = await createPostgresDatabase()
  here = createWorkplace({ COUNTERSIGN_RATE_LIMITS: 'off', COUNTERSIGN_RECEIPT_KEYS: generateReceiptKeyRing() })
  move = ['migrate-data', '--from', here.env.COUNTERSIGN_DATABASE_URL ?? '', '--to', database.url]
})
afterEach(async () => {
  await server?.stop('SIGKILL')
  server = undefined
  await database.drop()
  here.remove()
})

const start = async (databaseUrl?: string): Promise<Client> => {
  const env = databaseUrl === undefined ? here.env : { ...here.env, COUNTERSIGN_DATABASE_URL: databaseUrl }
  server = await startServer({ ...here, env })
  return directClient(server.url)
}

const stop = async (): Promise<void> => {
  expect(await server?.stop('SIGTERM')).toBe(0)
  server = undefined
}

it('sessions and phones go on working after the move to PostgreSQL', async () => {
  const core = await openCore(here)
  const { email } = await createTestUser(core)
  await core.close()

  const before = await start()
  const web = await logIn(before, email)
  const phone = await registerPhone(before, web.accessToken)
  const mobile = await phoneLogin(before, phone)
  const spent = await logIn(before, email)
  const fresh = await before.auth.refresh({ refreshToken: spent.refreshToken })
  const approval = await signPayment(before, web.accessToken, phone)
  const approved = await signPayment(before, web.accessToken, phone)
  await before.confirmations.sendApproval(approved, { token: mobile.accessToken })
  const { confirmationId } = approved
  const { receipt } = await before.confirmations.receipt({ confirmationId }, { token: mobile.accessToken })
  const login = await signLogin(before, phone)
  const gone = await logIn(before, email)
  await before.auth.logout({ refreshToken: gone.refreshToken }, { token: gone.accessToken })
  await stop()

  await here.json(move)

  const after = await start(database.url)
  for (const { accessToken } of [web, mobile, fresh]) expect(await tokenStatus(after, accessToken)).toBe(200)
  expect(await tokenStatus(after, gone.accessToken)).toBe(401)

  // The receipt that was made before the move, and a receipt of the same approval from the new database.
  const keys = await after.receipts.keys()
  const again = await after.confirmations.receipt({ confirmationId }, { token: mobile.accessToken })
  for (const text of [receipt, again.receipt]) {
    expect(await verifyReceipt(text, { keys })).toMatchObject({ verdict: 'genuine', confirmation: { id: confirmationId } })
  }

  // A refresh token rotates once. A token that was used before the move ends its session after it.
  const next = await after.auth.refresh({ refreshToken: web.refreshToken })
  expect(await tokenStatus(after, next.accessToken)).toBe(200)
  const { tokens: nextOfPhone } = await after.mobile.refresh({ refreshToken: mobile.refreshToken })
  expect(await statusOf(after.auth.refresh({ refreshToken: spent.refreshToken }))).toBe(401)
  expect(await tokenStatus(after, fresh.accessToken)).toBe(401)

  // Signatures that were made before the move are valid: of the pending payment and of the challenge. Each still works only once.
  expect(await statusOf(after.confirmations.sendApproval(approval, { token: nextOfPhone.accessToken }))).toBe(200)
  expect(await statusOf(after.confirmations.sendApproval(approved, { token: nextOfPhone.accessToken }))).toBe(410)
  expect(await statusOf(after.mobile.finishLogin(login))).toBe(200)
  expect(await statusOf(after.mobile.finishLogin(login))).toBe(401)
  await phoneLogin(after, phone)
  await logIn(after, email)
})

const ROWS = 40_000

/** Returns whether a move copies rows into the target now. */
const isCopying = async (): Promise<boolean> => {
  const copying = `
    select from pg_stat_activity where datname = current_database() and query ~ 'rate_limit_states.*json_to_recordset' and pid <> pg_backend_pid()`
  return (await database.query(copying)).length > 0
}

/** Runs the move and kills it, as a crash would, while it copies rows. */
const killedMove = async (): Promise<void> => {
  const child = spawn(process.execPath, [BUILT_COMMAND, ...move], { cwd: here.directory, env: { ...compileCache, ...here.env } })
  const exit = once(child, 'exit')
  while (child.exitCode === null && !(await isCopying())) await pause(5)
  child.kill('SIGKILL')
  expect(await exit).toStrictEqual([null, 'SIGKILL'])
}

it('a move that is killed leaves an empty database, and copies every row when it is run again', async () => {
  await here.json(['migrate'])
  const file = new DatabaseSync((here.env.COUNTERSIGN_DATABASE_URL ?? '').slice('sqlite:'.length))
  file.exec(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${ROWS})
    insert into countersign_rate_limit_states (key, full_at, allowed_at, version, idle_at) select 'key-' || n, n, '[]', n, n from numbers`)
  file.close()

  await killedMove()
  // Waits for the lock of the killed move.
  expect(await database.query('select from countersign.rate_limit_states')).toStrictEqual([])
  expect(await here.json(move)).toMatchObject({ tables: expect.arrayContaining([{ name: 'rate_limit_states', rows: ROWS }]) })
  await here.json(['migrate', '--status'], { env: { COUNTERSIGN_DATABASE_URL: database.url } })
})
