import type { PasskeyStore } from '@countersign/core/storage'
import type { Kysely, Selectable } from 'kysely'
import { type Database, didWrite, readAll } from '../shared/database.ts'
import { preparedQuery } from '../shared/prepared-query.ts'
import type { PasskeyPushTokensTable, PasskeysTable, Tables } from '../tables/index.ts'
import { toBound } from './bound.ts'

type PasskeyPushToken = Awaited<ReturnType<PasskeyStore['pushTokensOf']>>[number]

const select = (db: Kysely<Tables>) =>
  db
    .selectFrom('passkey_push_tokens as held')
    .innerJoin('passkeys', (join) =>
      join.onRef('passkeys.user_id', '=', 'held.user_id').onRef('passkeys.id', '=', 'held.passkey_id'),
    )
    .select(['held.id', 'held.user_id', 'passkey_id', 'push_token', 'name', 'tenants', 'trusted_at'])

type Row = Pick<Selectable<PasskeyPushTokensTable>, 'id' | 'user_id' | 'passkey_id' | 'push_token'> &
  Pick<Selectable<PasskeysTable>, 'name' | 'tenants' | 'trusted_at'>

const toPushToken = (row: Row): PasskeyPushToken => ({
  id: row.id,
  userId: row.user_id,
  passkeyId: row.passkey_id,
  pushToken: row.push_token,
  name: row.name,
  tenants: toBound(row.tenants),
  trustedAt: row.trusted_at,
})

const ofUser = preparedQuery((db, { userId }: { readonly userId: number }) =>
  select(db).where('held.user_id', '=', userId).orderBy('passkeys.created_at').orderBy('passkeys.id'),
)

/** Removes the push tokens of passkeys of a user. */
export const removePushTokens = async (tx: Database, userId: number, passkeyIds: readonly string[]): Promise<void> => {
  if (passkeyIds.length === 0) return
  await tx.write((db) =>
    db.deleteFrom('passkey_push_tokens').where('user_id', '=', userId).where('passkey_id', 'in', passkeyIds).execute(),
  )
}

/** The methods of the store of passkeys for push tokens. */
export const passkeyPushTokens = (
  database: Database,
): Pick<PasskeyStore, 'pushTokensOf' | 'setPushToken' | 'takePushToken' | 'forgetPushToken'> => ({
  pushTokensOf: (userId) => readAll(database, toPushToken, (db) => ofUser.all(db, { userId })),

  setPushToken: async (userId, passkeyId, pushToken) => {
    if (pushToken === null) return removePushTokens(database, userId, [passkeyId])
    const token = { id: pushToken.id, push_token: pushToken.sealed, push_token_digest: pushToken.digest }
    await database.write((db) =>
      db
        .insertInto('passkey_push_tokens')
        .values({ ...token, user_id: userId, passkey_id: passkeyId })
        .onConflict((conflict) => conflict.columns(['user_id', 'passkey_id']).doUpdateSet(token))
        .execute(),
    )
  },

  takePushToken: async (digest, keeper) => {
    const held = await readAll(database, toPushToken, (db) => select(db).where('push_token_digest', '=', digest).execute())
    const losers = held.filter(({ userId, passkeyId }) => userId !== keeper?.userId || passkeyId !== keeper.passkeyId)
    for (const { userId, passkeyId } of losers) await removePushTokens(database, userId, [passkeyId])
    return losers
  },

  forgetPushToken: (id) => didWrite(database, (db) => db.deleteFrom('passkey_push_tokens').where('id', '=', id)),
})
