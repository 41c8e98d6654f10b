import { generateKeyRing, generateReceiptKeyRing, systemRandom } from '@countersign/core'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { addDemoCustomers, demoPassword } from './demo-customers.ts'
import { type BankTables, createTables } from './tables.ts'

/** Starts the bank to try it out. Without `DATABASE_URL`, the bank starts a PostgreSQL, which ends with the bank. */
if (process.env.DATABASE_URL === undefined) {
  const { startPostgres } = await import('../../tools/testing/start-postgres.ts')
  const { url } = await startPostgres()
  process.env.DATABASE_URL = url
  process.env.COUNTERSIGN_JWT_KEYS = generateKeyRing(systemRandom)
  process.env.COUNTERSIGN_ENCRYPTION_KEYS = generateKeyRing(systemRandom)
  process.env.COUNTERSIGN_RECEIPT_KEYS = generateReceiptKeyRing()
  const pool = new pg.Pool({ connectionString: url })
  const db = new Kysely<BankTables>({ dialect: new PostgresDialect({ pool }) })
  await createTables(db)
  await addDemoCustomers(db.withSchema('bank'))
  await db.destroy()
  console.log(`Customers: ada@example.com, grace@example.com and alan@example.com. Password: ${demoPassword}`)
}
await import('./server.ts')
