import type { Instant } from '@countersign/core/storage'
import type { Kysely } from 'kysely'
import { preparedQuery } from '../../shared/prepared-query.ts'
import type { Tables } from '../../tables/index.ts'

/** Removed devices stay until their retention has passed, but are never returned. */
export const active = (db: Kysely<Tables>) => db.selectFrom('devices').where('removed_at', 'is', null)

export const updateActive = (db: Kysely<Tables>, userId: number, deviceId: string) =>
  db.updateTable('devices').where('id', '=', deviceId).where('user_id', '=', userId).where('removed_at', 'is', null)

export const withoutPushToken = { push_token: null, push_token_digest: null } as const

/** Locks the row of an active device until the transaction ends. */
export const useDevice = preparedQuery(
  (db, given: { readonly userId: number; readonly deviceId: string; readonly now: Instant }) =>
    updateActive(db, given.userId, given.deviceId).set({ last_used_at: given.now }),
)
