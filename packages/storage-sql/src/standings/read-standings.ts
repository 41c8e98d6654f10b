import type { Database } from '../database.ts'
import { parseTexts } from '../json-texts.ts'
import { keptQuery } from '../kept-query.ts'
import { serviceTokenColumns, toServiceToken } from '../service-tokens/service-token-row.ts'
import type { Standings } from './standings.ts'

const ofSession = keptQuery((db, { id }: { readonly id: string }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.email', 'users.permissions'])
    .where('sessions.id', '=', id)
    .where('sessions.ended_at', 'is', null)
    .where('users.disabled_at', 'is', null),
)

/** Asks the database each time, in one statement. */
export const readStandings = (database: Database): Standings => ({
  session: async (id) => {
    const row = await database.read((db) => ofSession.first(db, { id }))
    return row && { userId: row.id, email: row.email, permissions: parseTexts(row.permissions) }
  },

  serviceToken: async (id) => {
    const row = await database.read((db) =>
      db
        .selectFrom('service_tokens')
        .select(serviceTokenColumns)
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .executeTakeFirst(),
    )
    return row && toServiceToken(row)
  },
})
