import { createPublicKey, randomBytes, randomUUID, verify } from 'node:crypto'
import pg from 'pg'
import { answerCalls } from '../harness/calls.ts'
import { repeat } from '../harness/repeat.ts'
import { challengeSigner, type HeldDevice } from '../seeds/held-device.ts'

/**
 * The statements of a refresh and of a confirmation on PostgreSQL, sent by the driver alone. They are named, so that the server
 * prepares them once, and run on a pool as large as ours.
 */

export interface PostgresLimit {
  readonly url: string
  readonly what: 'refresh' | 'confirmation'
  /** The devices, one for each parallel conversation. */
  readonly devices: readonly HeldDevice[]
}

const POOL_SIZE = 10
/** The greatest number of pending confirmations of a user in this contender. */
const MOST_PENDING = 20

let operations: readonly (() => Promise<void>)[] = []

const inTransaction = async (pool: pg.Pool, work: (client: pg.PoolClient) => Promise<void>): Promise<void> => {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await work(client)
    await client.query('commit')
  } finally {
    client.release()
  }
}

interface RefreshClaims {
  readonly session_id: string
  readonly jti: string
}

const claimsOf = (device: HeldDevice): RefreshClaims =>
  JSON.parse(Buffer.from(device.refreshToken.split('.')[1] ?? '', 'base64url').toString()) as RefreshClaims

const refreshing = (pool: pg.Pool, device: HeldDevice) => {
  const { session_id: id, jti } = claimsOf(device)
  let current = jti
  return async (): Promise<void> => {
    const [now, next] = [Date.now(), randomUUID()]
    const { rowCount } = await pool.query({
      name: 'rotate',
      text: `update sessions set refresh_token_id = $1, previous_refresh_token_id = $2, rotated_at = $3, last_used_at = $3,
        refresh_expires_at = $4 where id = $5 and refresh_token_id = $2 and ended_at is null and refresh_expires_at > $3`,
      values: [next, current, now, now + 86_400_000, id],
    })
    if (rowCount !== 1) throw new Error('a rotation was lost')
    current = next
  }
}

const deviceColumns =
  'id, user_id, name, type, fingerprint, public_key, key_algorithm, push_token, last_used_at, created_at, updated_at'

const confirmationColumns = `id, user_id, action_type, payload, nonce, challenge, status, wrong_signatures, device_id,
  reject_reason, created_at, expires_at, updated_at`

const confirming = (pool: pg.Pool, device: HeldDevice) => {
  const { userId, deviceId } = device
  const key = { key: createPublicKey(device.publicKey), dsaEncoding: 'der' as const }
  const challenge = randomBytes(64).toString('base64')
  const signature = Buffer.from(challengeSigner(device)(challenge), 'base64')
  const payload = randomBytes(160).toString('base64')
  return async (): Promise<void> => {
    const [id, now] = [`conf_${randomUUID()}`, Date.now()]
    await inTransaction(pool, async (client) => {
      await client.query({ name: 'hold', text: 'select id from users where id = $1 for no key update', values: [userId] })
      const { rowCount } = await client.query({
        name: 'initiate',
        text: `insert into confirmations (id, user_id, action_type, payload, nonce, challenge, status, wrong_signatures,
          created_at, expires_at, updated_at) select $1, $2, 'payment_approval', $3, $4, $4, 'pending', 0, $5, $6, $5
          where (select count(*) from confirmations where user_id = $2 and status = 'pending' and expires_at > $5) < $7`,
        values: [id, userId, payload, challenge, now, now + 300_000, MOST_PENDING],
      })
      if (rowCount !== 1) throw new Error('a confirmation was refused')
    })
    // The devices to notify. The response does not wait for them.
    const devicesToNotify = pool.query({
      name: 'devices',
      text: `select ${deviceColumns} from devices where removed_at is null and user_id = $1 order by created_at, id`,
      values: [userId],
    })
    await pool.query({
      name: 'confirmation',
      text: `select ${confirmationColumns} from confirmations where id = $1 and user_id = $2`,
      values: [id, userId],
    })
    await pool.query({
      name: 'device',
      text: `select ${deviceColumns} from devices where removed_at is null and id = $1 and user_id = $2`,
      values: [deviceId, userId],
    })
    if (!verify('sha256', Buffer.from(challenge, 'utf8'), key, signature)) throw new Error('the signature does not fit')
    await inTransaction(pool, async (client) => {
      await client.query({
        name: 'use',
        text: 'update devices set last_used_at = $1 where id = $2 and user_id = $3 and removed_at is null',
        values: [now, deviceId, userId],
      })
      const { rowCount } = await client.query({
        name: 'settle',
        text: `update confirmations set status = 'approved', device_id = $1, updated_at = $2
          where id = $3 and user_id = $4 and status = 'pending' and expires_at > $2
          and exists (select from devices where id = $1 and user_id = $4 and removed_at is null)`,
        values: [deviceId, now, id, userId],
      })
      if (rowCount !== 1) throw new Error('the confirmation was lost')
    })
    await devicesToNotify
  }
}

const open = async ({ url, what, devices }: PostgresLimit): Promise<void> => {
  const pool = new pg.Pool({ connectionString: url, max: POOL_SIZE, options: '-c search_path=countersign' })
  operations = devices.map((device) => (what === 'refresh' ? refreshing(pool, device) : confirming(pool, device)))
}

export const methods = { open, round: (seconds: number) => repeat(operations, seconds) }

answerCalls(methods)
