import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PostgresDatabase } from '../../tools/testing/create-postgres-database.ts'
import { createWorkplace, type RunningExample, startExample, type Workplace } from '../testing/start-example.ts'
import { addDemoCustomers } from './demo-customers.ts'
import { type BankTables, createTables } from './tables.ts'
import { bankSettings, createBankDatabase, enrol } from './testing/test-bank.ts'

const CENTS = 2_000_00
const START = 1_000_000_00

let database: PostgresDatabase
let workplace: Workplace
let server: RunningExample
let env: Readonly<Record<string, string>>
beforeAll(async () => {
  workplace = createWorkplace()
  database = await createBankDatabase()
  const { databaseUrl, jwtKeys, encryptionKeys, receiptKeys, issuer } = bankSettings(database.url)
  env = {
    DATABASE_URL: databaseUrl,
    COUNTERSIGN_JWT_KEYS: jwtKeys,
    COUNTERSIGN_ENCRYPTION_KEYS: encryptionKeys,
    COUNTERSIGN_RECEIPT_KEYS: receiptKeys,
    BANK_URL: issuer,
    PORT: '0',
  }
  const db = new Kysely<BankTables>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: database.url }) }) })
  await createTables(db)
  await addDemoCustomers(db.withSchema('bank'))
  await db.destroy()
  server = await start()
})
afterAll(async () => {
  await server?.kill()
  await database?.drop()
  workplace.remove()
})

const start = () => startExample('bank/server.ts', { directory: workplace.directory, env })

/** The state of a payment, its receipts, and the uses of its approval. */
const stateOf = async (id: string) => {
  const [row] = await database.query(`
    select state, (select count(*) from bank.receipts where payment_id = id)::integer as receipts,
      (select count(*) from countersign.confirmations c where c.id = payments.approval_id and c.consumed_at is not null)::integer as uses
    from bank.payments where id = '${id}'`)
  return row
}

const paid = () => database.query(`select (${START} - cents)::integer as cents from bank.accounts`)

const waitingFor = async (statement: string): Promise<number> => {
  const like = `wait_event_type = 'Lock' and query like '${statement}%'`
  return (await database.query(`select from pg_stat_activity where datname = current_database() and ${like}`)).length
}

/** Kills the bank with `kill -9` while the booking of an approved payment waits for a table. Returns the id of the payment. */
const killWhileBooking = async (email: string, table: string, statement: string): Promise<string> => {
  const customer = await enrol(server.url, email)
  const { id } = (await customer.order(CENTS)).body
  const blocker = new pg.Client({ connectionString: database.url })
  await blocker.connect()
  await blocker.query(`begin; select from ${table} for update`)
  await customer.approve(id)
  await expect.poll(() => waitingFor(statement)).toBe(1)
  await server.kill()
  await blocker.end()
  await expect.poll(() => waitingFor(statement)).toBe(0)
  return id
}

it('a bank that is killed between an approval and its booking books the payment once when it starts again', async () => {
  const [waiting, booked] = [
    { state: 'waiting', receipts: 0, uses: 0 },
    { state: 'booked', receipts: 1, uses: 1 },
  ]
  const before = await killWhileBooking('ada@example.com', 'bank.payments', 'select * from "bank"."payments"')
  expect([await stateOf(before), await paid()]).toEqual([waiting, [{ cents: 0 }]])
  server = await start()
  await expect.poll(() => stateOf(before)).toEqual(booked)

  // Now the transaction has used the approval, and has not moved the money.
  const within = await killWhileBooking('grace@example.com', 'bank.accounts', 'update "bank"."accounts"')
  expect([await stateOf(within), await paid()]).toEqual([waiting, [{ cents: CENTS }]])
  server = await start()
  await expect.poll(() => stateOf(within)).toEqual(booked)
  expect([await stateOf(before), await paid()]).toEqual([booked, [{ cents: 2 * CENTS }]])
})
