import type { PublishedReceiptKey, ReceiptKeyStore } from '@countersign/core/storage'
import { type Database, didWrite, readAll } from '../shared/database.ts'
import { recordMapping } from '../shared/record-mapping.ts'
import type { Row } from '../tables/index.ts'

const mapping = recordMapping('receipt_keys', 'kid alg=algorithm activeFrom retiredAt revokedAt revokedReason')

const toKey = (row: Row<'receipt_keys'>): PublishedReceiptKey => ({
  ...mapping.toRecord(row),
  jwk: JSON.parse(row.jwk) as PublishedReceiptKey['jwk'],
})

export const receiptKeysStore = (database: Database): ReceiptKeyStore => ({
  publish: async (key) => {
    const row = { ...mapping.toRow(key), jwk: JSON.stringify(key.jwk) }
    await database.write((db) =>
      db
        .insertInto('receipt_keys')
        .values(row)
        .onConflict((conflict) => conflict.column('kid').doNothing()),
    )
  },

  all: () => readAll(database, toKey, (db) => db.selectFrom('receipt_keys').selectAll().orderBy('active_from').orderBy('kid')),

  retire: (kid, at) =>
    didWrite(database, (db) =>
      db
        .updateTable('receipt_keys')
        .where('kid', '=', kid)
        .where('retired_at', 'is', null)
        .where('revoked_at', 'is', null)
        .set({ retired_at: at }),
    ),

  revoke: (kid, at, reason) =>
    didWrite(database, (db) =>
      db
        .updateTable('receipt_keys')
        .where('kid', '=', kid)
        .where('revoked_at', 'is', null)
        .set({ revoked_at: at, revoked_reason: reason }),
    ),
})
