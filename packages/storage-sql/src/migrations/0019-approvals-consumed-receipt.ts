import type { Kysely } from 'kysely'

/** Adds the receipt that the consumer of an approval got, so that a repeated redemption gets the same text. */
export const addConsumedReceipt = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('confirmations').addColumn('consumed_receipt', 'text').execute()
}
