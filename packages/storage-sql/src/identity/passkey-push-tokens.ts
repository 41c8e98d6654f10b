import type { PasskeyStore } from '@countersign/core/storage'
import type { Kysely } from 'kysely'
import { type Database, didWrite, readAll } from '../shared/database.ts'
import { preparedQuery } from '../shared/prepared-query.ts'
import { recordMapping } from '../shared/record-mapping.ts'
import type { Tables } from '../tables/index.ts'

const ofToken = recordMapping('passkey_push_tokens', 'id userId passkeyId pushToken')
const ofPasskey = recordMapping('passkeys', 'name tenants:bound trustedAt')

const select = (db: Kysely<Tables>) =>
  db
    .selectFrom('passkey_push_tokens as held')
    .innerJoin('passkeys', (join) =>
      join.onRef('passkeys.user_id', '=', 'held.user_id').onRef('passkeys.id', '=', 'held.passkey_id'),
    )
    .select(ofToken.columns.map((column) => `held.${column}` as const))
    .select(ofPasskey.columns)

const toPushToken = (row: Parameters<typeof ofToken.toRecord>[0] & Parameters<typeof ofPasskey.toRecord>[0]) => {
  return { ...ofToken.toRecord(row), ...ofPasskey.toRecord(row) }
}

const ofUser = preparedQuery(
  (db, { userId }: { readonly userId: number }) =>
    select(db).where('held.user_id', '=', userId).orderBy('passkeys.created_at').orderBy('passkeys.id'),
  toPushToken,
)

export const removePushTokens = async (tx: Database, userId: number, passkeyIds: readonly string[]): Promise<void> => {
  if (passkeyIds.length === 0) return
  await tx.write((db) => db.deleteFrom('passkey_push_tokens').where('user_id', '=', userId).where('passkey_id', 'in', passkeyIds))
}

export const passkeyPushTokens = (
  database: Database,
): Pick<PasskeyStore, 'pushTokensOf' | 'setPushToken' | 'takePushToken' | 'forgetPushToken'> => ({
  pushTokensOf: (userId) => ofUser.all(database, { userId }),

  setPushToken: async (userId, passkeyId, pushToken) => {
    if (pushToken === null) return removePushTokens(database, userId, [passkeyId])
    const token = { id: pushToken.id, push_token: pushToken.sealed, push_token_digest: pushToken.digest }
    await database.write((db) =>
      db
        .insertInto('passkey_push_tokens')
        .values({ ...token, user_id: userId, passkey_id: passkeyId })
        .onConflict((conflict) => conflict.columns(['user_id', 'passkey_id']).doUpdateSet(token)),
    )
  },

  takePushToken: async (digest, keeper) => {
    const held = await readAll(database, toPushToken, (db) => select(db).where('push_token_digest', '=', digest))
    const losers = held.filter(({ userId, passkeyId }) => userId !== keeper?.userId || passkeyId !== keeper.passkeyId)
    for (const { userId, passkeyId } of losers) await removePushTokens(database, userId, [passkeyId])
    return losers
  },

  forgetPushToken: (id) => didWrite(database, (db) => db.deleteFrom('passkey_push_tokens').where('id', '=', id)),
})
