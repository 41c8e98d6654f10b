import type { ServiceTokenStore } from '@countersign/core/storage'
import { type Database, readAll } from '../../shared/database.ts'
import { recordChanges } from '../../shared/record-changes.ts'
import type { SessionStatusReader } from '../session-status/read-session-status.ts'
import { fromServiceToken, serviceTokenColumns, toServiceToken } from './service-token-row.ts'

export const serviceTokensStore = (database: Database, status: SessionStatusReader): ServiceTokenStore => ({
  add: async (token) => {
    await database.write((db) => db.insertInto('service_tokens').values(fromServiceToken(token)))
  },

  list: () =>
    readAll(database, toServiceToken, (db) =>
      db.selectFrom('service_tokens').select(serviceTokenColumns).orderBy('created_at', 'desc').orderBy('id', 'desc'),
    ),

  status: status.serviceToken,

  holdValid: (service, now) =>
    readAll(database, toServiceToken, (db) =>
      database.locks.lockForShare(
        db
          .selectFrom('service_tokens')
          .select(serviceTokenColumns)
          .where((the) => the(the.fn('lower', ['service']), '=', service))
          .where('revoked_at', 'is', null)
          .where('expires_at', '>', now),
      ),
    ),

  revoke: (id, now) =>
    database.transaction(async (tx) => {
      const [row] = await tx.write((db) =>
        db
          .updateTable('service_tokens')
          .set({ revoked_at: now })
          .where('id', '=', id)
          .where('revoked_at', 'is', null)
          .returning(serviceTokenColumns),
      )
      if (row === undefined) return undefined
      await recordChanges(tx, [{ kind: 'service_token', subject: id }], now)
      return toServiceToken(row)
    }),
})
