import pg from 'pg'

/** Confirmations of each user. */
export const CONFIRMATIONS_PER_USER = 5

/** The first id of the copied users, behind all users that the core makes. */
const FIRST_ID = 10_000_000

/**
 * Copies the rows of one user on PostgreSQL. A copy differs in its keys and in the time of its creation, so that it takes the same
 * room in tables and indexes as a real one.
 */
const copies = [
  `insert into users overriding system value
   select copy.* from users as original, generate_series(1, $2) as n, lateral jsonb_populate_record(original,
     jsonb_build_object('id', ${FIRST_ID} + n, 'email', 'copy-' || n || '@bench.test')) as copy
   where original.id = $1`,
  `insert into sessions
   select copy.* from (select * from sessions where user_id = $1 limit 1) as original, generate_series(1, $2) as n,
     lateral jsonb_populate_record(null::sessions, to_jsonb(original) || jsonb_build_object('id', gen_random_uuid(),
       'user_id', ${FIRST_ID} + n, 'refresh_token_id', gen_random_uuid(), 'created_at', original.created_at - n)) as copy`,
  `insert into devices
   select copy.* from devices as original, generate_series(1, $2) as n, lateral jsonb_populate_record(original,
     jsonb_build_object('id', gen_random_uuid(), 'user_id', ${FIRST_ID} + n, 'fingerprint', 'copy-' || n || '-fingerprint')) as copy
   where original.user_id = $1`,
  `insert into confirmations
   select copy.* from (select * from confirmations where user_id = $1 limit 1) as original,
     generate_series(1, $2 * ${CONFIRMATIONS_PER_USER}) as n,
     lateral jsonb_populate_record(null::confirmations, to_jsonb(original) || jsonb_build_object(
       'id', 'conf_' || gen_random_uuid(), 'user_id', ${FIRST_ID} + 1 + n % $2, 'created_at', original.created_at - n)) as copy`,
]

/** Fills a PostgreSQL database with copies of a user, each with a session, a device and approved confirmations. */
export const copyUser = async (url: string, userId: number, count: number): Promise<void> => {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=countersign -c synchronous_commit=off' })
  await client.connect()
  try {
    for (const statement of copies) await client.query(statement, [userId, count])
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}
