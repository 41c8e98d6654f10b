import { createPrivateKey, createPublicKey, randomBytes, randomUUID, verify } from 'node:crypto'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { challengeSigner, type HeldDevice } from '../device.ts'
import { repeatOperations } from '../harness/program.ts'
import { fileOf, inTurn } from '../harness/round.ts'
import type { WritesOptions } from './writes.ts'

/** The statements of an operation, sent by the driver alone; on SQLite without statements that only read. */
export type RawOptions =
  | { readonly url: string; readonly what: keyof typeof ofDevice; readonly devices: readonly HeldDevice[] }
  | (Omit<WritesOptions, 'what'> & { readonly what: 'shared rows' })

type Statement = readonly [text: string, ...values: readonly unknown[]]

interface Driver {
  readonly prefix: string
  /** Commits statements together. Fails if a statement returns or changes no row. */
  readonly commit: (...statements: readonly Statement[]) => unknown
  readonly read: (...statement: Statement) => unknown
}

const expectRow = (rows: number | null): void => {
  if (!rows) throw new Error('a row was lost')
}

const openSqlite = (path: string): Driver => {
  const database = new Sqlite(path)
  // The settings of our writer: acknowledged data is on the disk.
  for (const pragma of ['journal_mode = wal', 'synchronous = full', 'wal_autocheckpoint = 4000', 'foreign_keys = on']) {
    database.pragma(pragma)
  }
  const prepare = (text: string) => {
    const order = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number) - 1)
    const statement = database.prepare<unknown[]>(text.replaceAll(/\$\d+/g, '?'))
    return (values: readonly unknown[]) => {
      const given = order.map((at) => values[at])
      expectRow(statement.reader ? statement.all(...given).length : statement.run(...given).changes)
    }
  }
  const prepared = new Map<string, ReturnType<typeof prepare>>()
  const run = ([text, ...values]: Statement): void => {
    const statement = prepared.get(text) ?? prepare(text)
    prepared.set(text, statement)
    statement(values)
  }
  const together = database.transaction((statements: readonly Statement[]) => statements.forEach(run)).immediate
  const commit: Driver['commit'] = (...statements) => (statements.length === 1 ? statements.forEach(run) : together(statements))
  return { prefix: 'countersign_', commit, read: () => {} }
}

const openPostgres = (connectionString: string, max: number): Driver => {
  const pool = new pg.Pool({ connectionString, max, options: '-c search_path=countersign' })
  const names = new Map<string, string>()
  const run = async (client: pg.Pool | pg.PoolClient, [text, ...values]: Statement): Promise<void> => {
    const name = names.get(text) ?? `statement_${names.size}`
    names.set(text, name)
    expectRow((await client.query({ name, text, values })).rowCount)
  }
  const together = async (statements: readonly Statement[]): Promise<void> => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      for (const statement of statements) await run(client, statement)
      await client.query('commit')
    } finally {
      client.release()
    }
  }
  const read: Driver['read'] = (...statement) => run(pool, statement)
  return { prefix: '', commit: (...all) => (all.length === 1 ? all.map((one) => run(pool, one))[0] : together(all)), read }
}

const DAY = 86_400_000

/** Returns a challenge, and a function that checks its signature. A phone would sign each time; the check is repeated instead. */
const signedChallenge = (held: HeldDevice) => {
  const key = { key: createPublicKey(createPrivateKey(held.privateKey)), dsaEncoding: 'der' } as const
  const challenge = randomBytes(64).toString('base64')
  const signature = Buffer.from(challengeSigner(held)(challenge), 'base64')
  const check = (): void => {
    if (!verify('sha256', Buffer.from(challenge, 'utf8'), key, signature)) throw new Error('the signature does not fit')
  }
  return { challenge, check }
}

const useDevice = (prefix: string): string =>
  `update ${prefix}devices set last_used_at = $1 where id = $2 and user_id = $3 and removed_at is null`

const ofDevice = {
  refresh: ({ commit, prefix }: Driver, { refreshToken }: HeldDevice) => {
    const claims = JSON.parse(Buffer.from(refreshToken.split('.')[1] ?? '', 'base64url').toString()) as Record<string, string>
    let current = claims.jti
    const rotate = `update ${prefix}sessions set refresh_token_id = $1, previous_refresh_token_id = $2, rotated_at = $3,
      last_used_at = $3, refresh_expires_at = $4
      where id = $5 and refresh_token_id = $2 and ended_at is null and refresh_expires_at > $3`
    return async () => {
      const [now, next] = [Date.now(), randomUUID()]
      await commit([rotate, next, current, now, now + DAY, claims.session_id])
      current = next
    }
  },
  login: ({ commit, prefix }: Driver, held: HeldDevice) => {
    const { userId, deviceId, deviceFingerprint } = held
    const { challenge, check } = signedChallenge(held)
    const issue = `insert into ${prefix}challenges (id, purpose, user_id, challenge, subject, created_at, expires_at)
      values ($1, 'device_login', null, $2, $3, $4, $5)`
    const consume = `delete from ${prefix}challenges where id = $1 and purpose = 'device_login' and expires_at > $2`
    const isEnabled = `select id from ${prefix}users where id = $1 and version = 1 and disabled_at is null`
    const openSession = `insert into ${prefix}sessions (id, user_id, kind, auth_method, device_id, remember_me, created_at,
      last_used_at, refresh_token_id, rotated_at, refresh_expires_at)
      values ($1, $2, 'biometric', 'biometric', $3, 0, $4, $4, $5, $4, $6)`
    const use = useDevice(prefix)
    return async () => {
      const [id, now] = [randomUUID(), Date.now()]
      await commit([issue, id, challenge, JSON.stringify({ deviceFingerprint }), now, now + 120_000])
      await commit([consume, id, now])
      check()
      const session: Statement = [openSession, randomUUID(), userId, deviceId, now, randomUUID(), now + DAY]
      await commit([isEnabled, userId], [use, now, deviceId, userId], session)
    }
  },
  confirmation: ({ commit, read, prefix }: Driver, held: HeldDevice) => {
    const { userId, deviceId } = held
    const { challenge, check } = signedChallenge(held)
    const payload = randomBytes(160).toString('base64')
    // As long as the encrypted statement that a row stores for an ordinary payment.
    const statement = randomBytes(1575).toString('base64')
    const lock: readonly Statement[] = prefix === '' ? [['select id from users where id = $1 for no key update', userId]] : []
    const add = `insert into ${prefix}confirmations (id, user_id, action_type, payload, nonce, challenge, statement, status,
      wrong_signatures, created_at, expires_at, updated_at) select $1, $2, 'payment_approval', $3, $4, $4, $7, 'pending', 0, $5, $6, $5
      where (select count(*) from ${prefix}confirmations where user_id = $2 and status = 'pending' and expires_at > $5) < 20`
    const use = useDevice(prefix)
    const settle = `update ${prefix}confirmations set status = 'approved', device_id = $1, updated_at = $2
      where id = $3 and user_id = $4 and status = 'pending' and expires_at > $2
      and exists (select 1 from ${prefix}devices where id = $1 and user_id = $4 and removed_at is null)`
    const device = `select id, user_id, name, type, fingerprint, public_key, key_algorithm, push_token, last_used_at, created_at,
      updated_at from devices where removed_at is null and user_id = $1`
    const confirmation = `select id, user_id, action_type, payload, nonce, challenge, statement, status, wrong_signatures, device_id,
      reject_reason, created_at, expires_at, updated_at from confirmations where id = $1 and user_id = $2`
    return async () => {
      const [id, now] = [`conf_${randomUUID()}`, Date.now()]
      await commit(...lock, [add, id, userId, payload, challenge, now, now + 300_000, statement])
      // The devices to notify. The response does not wait for them.
      const toNotify = read(`${device} order by created_at, id`, userId)
      await read(confirmation, id, userId)
      await read(`${device} and id = $2`, userId, deviceId)
      check()
      await commit([use, now, deviceId, userId], [settle, deviceId, now, id, userId])
      await toNotify
    }
  },
}

/** Creates a project in the simplest way: every creation waits for the rows of the number and the counters of the one before. */
const creating =
  ({ commit }: Driver, customerId: string, userId: number) =>
  () => {
    const number = `insert into project_numbers (year, last) values (2020, 1)
      on conflict (year) do update set last = project_numbers.last + 1`
    const project = `insert into projects (id, unique_code, name, status, progress, contract_value, currency, description,
      searched_text, reply_date, customer_id, creator_id, document_file_ids, created_at, updated_at)
      select $1, 'RAW-2020-' || last, 'project', 'pending', 'technical_negotiating', 1000, 'EUR', '', 'project', 8640000000000001,
      $2, $3, '[]', $4, $4 from project_numbers where year = 2020`
    const count = `insert into project_counts (customer_id, status, progress, count)
      values ('', 'pending', 'technical_negotiating', 1), ($1, 'pending', 'technical_negotiating', 1)
      on conflict (customer_id, status, progress) do update set count = project_counts.count + 1`
    const raise = 'update project_lists set version = version + 1'
    return commit([number], [project, randomUUID(), customerId, userId, Date.now()], [raise], [count, customerId])
  }

export const program = repeatOperations(async (given: RawOptions) => {
  if (given.what === 'shared rows') {
    const { url, connections, customerId, userId } = given
    return Array<() => unknown>(connections).fill(creating(openPostgres(url, connections), customerId, userId))
  }
  const file = fileOf(given.url)
  const driver = file === undefined ? openPostgres(given.url, 10) : openSqlite(file)
  // SQLite commits one transaction after another, so one device logs in and approves there. Sessions rotate in turn.
  const devices = file === undefined || given.what === 'refresh' ? given.devices : given.devices.slice(0, 1)
  const operations = devices.map((held) => ofDevice[given.what](driver, held))
  return file === undefined ? operations : [inTurn(operations)]
})
