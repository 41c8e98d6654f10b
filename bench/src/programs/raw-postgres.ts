import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import { repeatOperations } from '../harness/program.ts'
import { aSealedStatement, type HeldDevice, signedChallenge } from '../seeds.ts'
import type { WritesOptions } from './writes.ts'

/**
 * The statements of an operation on PostgreSQL, sent by the driver alone. They are named, so that the server prepares them once,
 * and run on a pool as large as ours.
 */
export type RawPostgres =
  | { readonly url: string; readonly what: 'refresh' | 'confirmation'; readonly devices: readonly HeldDevice[] }
  | (Omit<WritesOptions, 'what'> & { readonly what: 'shared rows' })

type Query = (text: string, ...values: readonly unknown[]) => Promise<pg.QueryResult<Record<string, string>>>

const names = new Map<string, string>()
const queryOn =
  (client: pg.Pool | pg.PoolClient): Query =>
  (text, ...values) => {
    const name = names.get(text) ?? `statement_${names.size}`
    names.set(text, name)
    return client.query({ name, text, values: [...values] })
  }

const inTransaction = async (pool: pg.Pool, work: (query: Query) => Promise<unknown>): Promise<void> => {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await work(queryOn(client))
    await client.query('commit')
  } finally {
    client.release()
  }
}

const one = ({ rowCount }: pg.QueryResult): void => {
  if (rowCount !== 1) throw new Error('a row was lost')
}

const refreshing = (pool: pg.Pool, { refreshToken }: HeldDevice) => {
  const claims = JSON.parse(Buffer.from(refreshToken.split('.')[1] ?? '', 'base64url').toString()) as Record<string, string>
  let current = claims['jti']
  return async (): Promise<void> => {
    const [now, next] = [Date.now(), randomUUID()]
    const text = `update sessions set refresh_token_id = $1, previous_refresh_token_id = $2, rotated_at = $3, last_used_at = $3,
      refresh_expires_at = $4 where id = $5 and refresh_token_id = $2 and ended_at is null and refresh_expires_at > $3`
    one(await queryOn(pool)(text, next, current, now, now + 86_400_000, claims['session_id']))
    current = next
  }
}

const device = 'id, user_id, name, type, fingerprint, public_key, key_algorithm, push_token, last_used_at, created_at, updated_at'
const confirmation = `id, user_id, action_type, payload, nonce, challenge, statement, status, wrong_signatures, device_id, reject_reason,
  created_at, expires_at, updated_at`

const confirming = (pool: pg.Pool, held: HeldDevice) => {
  const { userId, deviceId } = held
  const { challenge, check } = signedChallenge(held)
  const payload = randomBytes(160).toString('base64')
  const statement = aSealedStatement()
  const query = queryOn(pool)
  return async (): Promise<void> => {
    const [id, now] = [`conf_${randomUUID()}`, Date.now()]
    await inTransaction(pool, async (send) => {
      await send('select id from users where id = $1 for no key update', userId)
      const text = `insert into confirmations (id, user_id, action_type, payload, nonce, challenge, statement, status,
        wrong_signatures, created_at, expires_at, updated_at) select $1, $2, 'payment_approval', $3, $4, $4, $7, 'pending', 0, $5, $6, $5
        where (select count(*) from confirmations where user_id = $2 and status = 'pending' and expires_at > $5) < 20`
      one(await send(text, id, userId, payload, challenge, now, now + 300_000, statement))
    })
    // The devices to notify. The response does not wait for them.
    const toNotify = query(
      `select ${device} from devices where removed_at is null and user_id = $1 order by created_at, id`,
      userId,
    )
    await query(`select ${confirmation} from confirmations where id = $1 and user_id = $2`, id, userId)
    await query(`select ${device} from devices where removed_at is null and id = $1 and user_id = $2`, deviceId, userId)
    check()
    await inTransaction(pool, async (send) => {
      const use = 'update devices set last_used_at = $1 where id = $2 and user_id = $3 and removed_at is null'
      await send(use, now, deviceId, userId)
      const text = `update confirmations set status = 'approved', device_id = $1, updated_at = $2
        where id = $3 and user_id = $4 and status = 'pending' and expires_at > $2
        and exists (select from devices where id = $1 and user_id = $4 and removed_at is null)`
      one(await send(text, deviceId, now, id, userId))
    })
    await toNotify
  }
}

/**
 * Creates a project as one would first think of it: one transaction takes the next number from the row of the year, inserts the
 * project, raises the version of the lists, and counts the project in the counters. Every creation waits for these rows until the
 * one before has been committed.
 */
const creating = (pool: pg.Pool, customerId: string, userId: number) => () =>
  inTransaction(pool, async (send) => {
    const { rows } = await send(`insert into project_numbers (year, last) values (2020, 1)
      on conflict (year) do update set last = project_numbers.last + 1 returning last`)
    const text = `insert into projects (id, unique_code, name, status, progress, contract_value, currency, description, searched_text,
      reply_date, customer_id, creator_id, document_file_ids, created_at, updated_at)
      values ($1, $2, 'project', 'pending', 'technical_negotiating', 1000, 'EUR', '', 'project', 8640000000000001, $3, $4, '[]', $5, $5)`
    await send(text, randomUUID(), `RAW-2020-${rows[0]?.['last']}`, customerId, userId, Date.now())
    await send('update project_lists set version = version + 1')
    const count = `insert into project_counts (customer_id, status, progress, count)
      values ('', 'pending', 'technical_negotiating', 1), ($1, 'pending', 'technical_negotiating', 1)
      on conflict (customer_id, status, progress) do update set count = project_counts.count + 1`
    await send(count, customerId)
  })

export const program = repeatOperations(async (given: RawPostgres) => {
  const isShared = given.what === 'shared rows'
  const max = isShared ? given.connections : 10
  const pool = new pg.Pool({ connectionString: given.url, max, options: '-c search_path=countersign' })
  return isShared
    ? Array<() => Promise<void>>(max).fill(creating(pool, given.customerId, given.userId))
    : given.devices.map((held) => (given.what === 'refresh' ? refreshing : confirming)(pool, held))
})
