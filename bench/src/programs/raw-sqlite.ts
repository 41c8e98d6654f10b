import { randomBytes, randomUUID } from 'node:crypto'
import Sqlite from 'better-sqlite3'
import { repeatOperations } from '../harness/program.ts'
import { aSealedStatement, type HeldDevice, signedChallenge } from '../seeds.ts'

/**
 * The least statements of an operation on SQLite, prepared, in one durable commit after another, in a process that does nothing
 * else. There is no HTTP, no token, and no query that only reads.
 */
export type RawSqlite = { readonly path: string } & (
  | { readonly what: 'refresh' }
  | { readonly what: 'login' | 'confirmation'; readonly device: HeldDevice }
)

type Run = (...values: readonly unknown[]) => Sqlite.RunResult

/** Returns a function that prepares a statement. */
const runIn =
  (database: Sqlite.Database) =>
  (sql: string): Run => {
    const statement = database.prepare(sql)
    return (...values) => statement.run(...values)
  }

const one = ({ changes }: Sqlite.RunResult): void => {
  if (changes !== 1) throw new Error('a row was lost')
}

/** Rotates sessions in turn, each in its own commit, as a server without shared commits does. */
const refreshing = (database: Sqlite.Database) => {
  const sessions = database
    .prepare<[], { id: string; token: string }>('select id, refresh_token_id as token from countersign_sessions order by id')
    .all()
  const rotate = runIn(
    database,
  )(`update countersign_sessions set refresh_token_id = ?, previous_refresh_token_id = ?, rotated_at = ?,
    last_used_at = ?, refresh_expires_at = ? where id = ? and refresh_token_id = ? and ended_at is null and refresh_expires_at > ?`)
  let turn = 0
  return () => {
    const session = sessions[turn % sessions.length] as (typeof sessions)[number]
    const [next, now] = [randomUUID(), Date.now()]
    turn += 1
    one(rotate(next, session.token, now, now, now + 86_400_000, session.id, session.token, now))
    session.token = next
  }
}

/** Returns a login and a confirmation by a device. The phone signs; here, one signature is checked again and again. */
const signing = (database: Sqlite.Database, device: HeldDevice) => {
  const prepare = runIn(database)
  const { userId, deviceId, deviceFingerprint } = device
  const { challenge, check } = signedChallenge(device)
  const useDevice = prepare('update countersign_devices set last_used_at = ? where id = ? and user_id = ? and removed_at is null')
  const issue = prepare(`insert into countersign_challenges (id, purpose, user_id, challenge, subject, created_at, expires_at)
    values (?, 'device_login', null, ?, ?, ?, ?)`)
  const consume = prepare(`delete from countersign_challenges where id = ? and purpose = 'device_login' and expires_at > ?`)
  const openSession =
    prepare(`insert into countersign_sessions (id, user_id, kind, auth_method, device_id, remember_me, created_at,
    last_used_at, refresh_token_id, rotated_at, refresh_expires_at) values (?, ?, 'biometric', 'biometric', ?, 0, ?, ?, ?, ?, ?)`)
  const asRead = database.prepare('select id from countersign_users where id = ? and version = 1 and disabled_at is null')
  const admit = database.transaction((now: number) => {
    if (asRead.get(userId) === undefined) throw new Error('the user has changed')
    useDevice(now, deviceId, userId)
    openSession(randomUUID(), userId, deviceId, now, now, randomUUID(), now, now + 86_400_000)
  })
  const countPending = database.prepare(
    `select count(*) from countersign_confirmations where user_id = ? and status = 'pending' and expires_at > ?`,
  )
  const add = prepare(`insert into countersign_confirmations (id, user_id, action_type, payload, nonce, challenge, statement,
    status, wrong_signatures, created_at, expires_at, updated_at) values (?, ?, 'payment_approval', ?, ?, ?, ?, 'pending', 0, ?, ?, ?)`)
  const settle = prepare(`update countersign_confirmations set status = 'approved', device_id = ?, updated_at = ?
    where id = ? and user_id = ? and status = 'pending' and expires_at > ?`)
  const payload = randomBytes(160).toString('base64')
  const statement = aSealedStatement()
  const initiate = database.transaction((id: string, now: number) => {
    countPending.get(userId, now)
    add(id, userId, payload, challenge, challenge, statement, now, now + 300_000, now)
  })
  const approve = database.transaction((id: string, now: number) => {
    useDevice(now, deviceId, userId)
    one(settle(deviceId, now, id, userId, now))
  })
  return {
    login: () => {
      const [id, now] = [randomUUID(), Date.now()]
      issue(id, challenge, JSON.stringify({ deviceFingerprint }), now, now + 120_000)
      one(consume(id, now))
      check()
      admit.immediate(now)
    },
    confirmation: () => {
      const [id, now] = [`conf_${randomUUID()}`, Date.now()]
      initiate.immediate(id, now)
      check()
      approve.immediate(id, now)
    },
  }
}

export const program = repeatOperations(async (given: RawSqlite) => {
  const database = new Sqlite(given.path)
  // The settings of our writer: acknowledged data is on the disk.
  for (const pragma of ['journal_mode = wal', 'synchronous = full', 'wal_autocheckpoint = 4000', 'foreign_keys = on']) {
    database.pragma(pragma)
  }
  return [given.what === 'refresh' ? refreshing(database) : signing(database, given.device)[given.what]]
})
