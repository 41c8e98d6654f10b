import type { CredentialCounts, DecoyProfileStore } from '@countersign/core/storage'
import type { Kysely } from 'kysely'
import type { Database } from '../../shared/database.ts'
import { parseTexts } from '../../shared/json-texts.ts'
import { preparedQuery } from '../../shared/prepared-query.ts'
import type { Tables } from '../../tables/index.ts'

/** Limits the cost of counting. This many users represent the distribution well enough. */
const COUNTED_USERS = 20_000
const MOST_FORMS = 50

const newest = preparedQuery((db) =>
  db
    .selectFrom('decoy_profiles')
    .select(['number', 'taken_at', 'counts'])
    .where('number', '>', (the) =>
      the.selectFrom('decoy_profiles').select(({ eb, fn }) => eb(fn.max('number'), '-', 2).as('number')),
    )
    .orderBy('number', 'desc'),
)

/** Returns the highest user id outside of the newest `COUNTED_USERS` users. */
const lastUncounted = (db: Kysely<Tables>) =>
  db.selectFrom('users').select(({ eb, fn }) => eb(fn.max('id'), '-', COUNTED_USERS).as('id'))

const countPasskeysPerUser = (database: Database) =>
  database.read((db) =>
    db
      .selectFrom((the) =>
        the
          .selectFrom('passkeys')
          .select(({ fn }) => fn.countAll<number>().as('passkeys'))
          .where('user_id', '>', lastUncounted(db))
          .groupBy('user_id')
          .as('counted'),
      )
      .select(['passkeys', ({ fn }) => fn.countAll<number>().as('users')])
      .groupBy('passkeys')
      .orderBy('passkeys')
      .execute(),
  )

const countPasskeyForms = (database: Database, leastUsers: number) =>
  database.read((db) =>
    db
      .selectFrom('passkeys')
      .select(['transports', 'algorithm'])
      .select(({ fn }) => [fn<number>('length', ['id']).as('id_length'), fn.count<number>('user_id').distinct().as('users')])
      .where('user_id', '>', lastUncounted(db))
      .groupBy(['id_length', 'transports', 'algorithm'])
      .having(({ fn }) => fn.count<number>('user_id').distinct(), '>=', leastUsers)
      .orderBy('users', 'desc')
      .orderBy('id_length')
      .orderBy('transports')
      .orderBy('algorithm')
      .limit(MOST_FORMS)
      .execute(),
  )

const countDeviceAlgorithms = (database: Database) =>
  database.read((db) =>
    db
      .selectFrom('devices')
      .select(['key_algorithm as algorithm', ({ fn }) => fn.count<number>('user_id').distinct().as('users')])
      .where('user_id', '>', lastUncounted(db))
      .where('removed_at', 'is', null)
      .groupBy('key_algorithm')
      .orderBy('key_algorithm')
      .execute(),
  )

export const decoyProfilesStore = (database: Database): DecoyProfileStore => ({
  count: async (leastUsers) => {
    const forms = await countPasskeyForms(database, leastUsers)
    return {
      passkeysPerUser: await countPasskeysPerUser(database),
      passkeyForms: forms.map(({ id_length: length, transports, algorithm, users }) => ({
        idBytes: Math.floor((length * 3) / 4),
        transports: parseTexts(transports),
        algorithm,
        users,
      })),
      deviceAlgorithms: await countDeviceAlgorithms(database),
    }
  },

  newest: async () => {
    const rows = await database.read((db) => newest.all(db, {}))
    return rows.map((row) => ({
      number: row.number,
      takenAt: row.taken_at,
      counts: JSON.parse(row.counts) as CredentialCounts,
    }))
  },

  keep: async ({ number, takenAt, counts }) => {
    const kept = await database.write((db) =>
      db
        .insertInto('decoy_profiles')
        .values({ number, taken_at: takenAt, counts: JSON.stringify(counts) })
        .onConflict((conflict) => conflict.column('number').doNothing())
        .returning('number')
        .executeTakeFirst(),
    )
    return kept !== undefined
  },
})
