import { type Bound, boundText, type PushWindowStore } from '@countersign/core/storage'
import { boundKey } from '../identity/bound.ts'
import { type Database, finds } from '../shared/database.ts'
import { recordMapping } from '../shared/record-mapping.ts'

const mapping = recordMapping('push_windows', 'confirmationId actionType expiresAt count=told windowEndsAt=ends_at')
const columns = [...mapping.columns, 'waiting'] as const

const keyOf = (tenants: Bound = null): string => boundKey(boundText(tenants))

export const pushWindowsStore = (database: Database): PushWindowStore => ({
  enter: async (userId, { confirmationId, actionType, expiresAt }, now, windowEndsAt, tenants) => {
    const newest = { confirmation_id: confirmationId, action_type: actionType, expires_at: expiresAt }
    const row = await database.write((db) =>
      db
        .insertInto('push_windows')
        .values({ user_id: userId, tenants: keyOf(tenants), ends_at: windowEndsAt, waiting: 0, told: 1, ...newest })
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'tenants']).doUpdateSet((the) => {
            const isOver = the('push_windows.ends_at', '<=', now)
            const waiting = the('push_windows.waiting', '+', 1)
            return {
              ...newest,
              told: the.case().when(isOver).then(waiting).else(the.ref('push_windows.told')).end(),
              waiting: the.case().when(isOver).then(0).else(waiting).end(),
              ends_at: the.case().when(isOver).then(windowEndsAt).else(the.ref('push_windows.ends_at')).end(),
            }
          }),
        )
        .returning(columns)
        .executeTakeFirstOrThrow(),
    )
    return row.waiting > 0 ? { windowEndsAt: row.ends_at, waiting: row.waiting } : mapping.toRecord(row)
  },

  end: async (userId, windowEndsAt, now, nextEndsAt, tenants) => {
    const [row] = await database.write((db) =>
      db
        .updateTable('push_windows')
        .set((the) => ({
          told: the.ref('waiting'),
          waiting: 0,
          ends_at: the.case().when('waiting', '>', 0).then(nextEndsAt).else(now).end(),
        }))
        .where('user_id', '=', userId)
        .where('tenants', '=', keyOf(tenants))
        .where('ends_at', '=', windowEndsAt)
        .returning(columns),
    )
    return row === undefined || row.told === 0 ? undefined : mapping.toRecord(row)
  },

  wasTold: (userId, since, tenants) =>
    finds(database, (db) =>
      db
        .selectFrom('push_windows')
        .select('user_id')
        .where('user_id', '=', userId)
        .where('tenants', '=', keyOf(tenants))
        .where('ends_at', '>', since),
    ),
})
