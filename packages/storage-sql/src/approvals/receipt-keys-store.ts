import type { PublishedReceiptKey, ReceiptKeyStore } from '@countersign/core/storage'
import type { Selectable } from 'kysely'
import type { Database } from '../shared/database.ts'
import type { ReceiptKeysTable } from '../tables/index.ts'

const toKey = (row: Selectable<ReceiptKeysTable>): PublishedReceiptKey => ({
  kid: row.kid,
  alg: row.algorithm,
  jwk: JSON.parse(row.jwk) as PublishedReceiptKey['jwk'],
  activeFrom: row.active_from,
  retiredAt: row.retired_at,
  revokedAt: row.revoked_at,
  revokedReason: row.revoked_reason,
})

export const receiptKeysStore = (database: Database): ReceiptKeyStore => ({
  publish: async ({ kid, alg, jwk, activeFrom, retiredAt, revokedAt, revokedReason }) => {
    const row = {
      kid,
      algorithm: alg,
      jwk: JSON.stringify(jwk),
      active_from: activeFrom,
      retired_at: retiredAt,
      revoked_at: revokedAt,
      revoked_reason: revokedReason,
    }
    await database.write((db) =>
      db
        .insertInto('receipt_keys')
        .values(row)
        .onConflict((conflict) => conflict.column('kid').doNothing())
        .execute(),
    )
  },

  all: async () => {
    const rows = await database.read((db) =>
      db.selectFrom('receipt_keys').selectAll().orderBy('active_from').orderBy('kid').execute(),
    )
    return rows.map(toKey)
  },

  retire: async (kid, at) => {
    const { numUpdatedRows } = await database.write((db) =>
      db
        .updateTable('receipt_keys')
        .where('kid', '=', kid)
        .where('retired_at', 'is', null)
        .where('revoked_at', 'is', null)
        .set({ retired_at: at })
        .executeTakeFirstOrThrow(),
    )
    return numUpdatedRows > 0n
  },

  revoke: async (kid, at, reason) => {
    const { numUpdatedRows } = await database.write((db) =>
      db
        .updateTable('receipt_keys')
        .where('kid', '=', kid)
        .where('revoked_at', 'is', null)
        .set({ revoked_at: at, revoked_reason: reason })
        .executeTakeFirstOrThrow(),
    )
    return numUpdatedRows > 0n
  },
})
