import { createCountersign, parseKeyRing, parseReceiptKeyRing } from '@countersign/core'
import { createLogger, startSweeper } from '@countersign/server'
import { openPostgres } from '@countersign/storage-postgres'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { customerDirectory } from './customer-directory.ts'
import { openLogins } from './logins.ts'
import { paymentPolicy } from './payment-rules.ts'
import { openPayments } from './payments.ts'
import { type BankTables, createTables } from './tables.ts'

/** The settings of the bank. The key rings are secrets, and must stay the same from start to start. */
export interface BankSettings {
  readonly databaseUrl: string
  readonly jwtKeys: string
  readonly encryptionKeys: string
  readonly receiptKeys: string
  /** The address of the bank, which its receipts name. */
  readonly issuer: string
}

/** The name of the bank, on its pages and on the approver. */
export const BANK = 'Linden Bank'

const EVERY_SECOND = 1000

/** Calls the work every second, one run at a time. Returns a function that stops, and resolves when no run is in progress. */
const everySecond = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= work().finally(() => {
      running = undefined
    })
  }, EVERY_SECOND)
  return async () => {
    clearInterval(timer)
    await running
  }
}

/** Opens the bank, with Countersign on the same database and the same pool. */
export const openBank = async ({ databaseUrl, jwtKeys, encryptionKeys, receiptKeys, issuer }: BankSettings) => {
  const logger = createLogger('warn')
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  // The pool replaces a connection that breaks. Without a listener, the error would end the process.
  pool.on('error', (error) => logger.warn('connection_lost', { message: error.message }))
  const db = new Kysely<BankTables>({ dialect: new PostgresDialect({ pool }) }).withSchema('bank')
  const storage = await openPostgres({ pool, parts: ['identity', 'approvals'] })
  await storage.migrate()
  await createTables(db)
  const countersign = createCountersign({
    parts: ['identity', 'approvals'],
    storage,
    users: customerDirectory(pool),
    jwtKeys: parseKeyRing(jwtKeys),
    encryptionKeys: parseKeyRing(encryptionKeys, { exactly: true }),
    receipts: { keys: parseReceiptKeyRing(receiptKeys), issuer },
    logger,
    options: {
      issuer,
      relyingParty: { id: new URL(issuer).hostname, name: BANK, origins: [issuer] },
      approvalPolicies: { payment_approval: paymentPolicy },
    },
  })
  const faults = (await countersign.check()).filter(({ status }) => status === 'failed')
  if (faults.length > 0) throw new Error(faults.map(({ check, detail }) => `${check}: ${detail}`).join('; '))
  // Publishes a new key of receipts before the first booking.
  await countersign.receipts.keys()
  const payments = openPayments(db, countersign)
  const stopSweeper = startSweeper(countersign, logger)
  const bookApproved = () =>
    payments
      .bookApproved(({ id }, error) => logger.warn('payment_waits', { id, message: String(error) }))
      .catch((error: unknown) => logger.warn('booking_failed', { message: String(error) }))
  await bookApproved()
  const stopBooking = everySecond(bookApproved)
  return {
    db,
    countersign,
    payments,
    logins: openLogins(db, countersign),
    logger,
    close: async () => {
      await stopBooking()
      await stopSweeper()
      await storage.close()
      await db.destroy()
    },
  }
}

export type Bank = Awaited<ReturnType<typeof openBank>>
