import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { BankTables } from './tables.ts'

/** Writes the bookings with their receipts to the standard output, one JSON object a line, for `audit.py`. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
const db = new Kysely<BankTables>({ dialect: new PostgresDialect({ pool }) }).withSchema('bank')
const bookings = db
  .selectFrom('payments')
  .where('state', '=', 'booked')
  .select(['id', 'account_id as account', 'customer_id as customer', 'recipient', 'cents'])
  .select((eb) =>
    eb
      .selectFrom('receipts')
      .whereRef('payment_id', '=', 'payments.id')
      .select(({ fn, ref }) => fn<string[] | null>('json_agg', [ref('receipt')]).as('receipts'))
      .as('receipts'),
  )
  .orderBy('booked_at')
for (const booking of await bookings.execute()) {
  const line = { ...booking, cents: Number(booking.cents), receipts: booking.receipts ?? [] }
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
await db.destroy()
