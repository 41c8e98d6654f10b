import { createPublicKey, randomBytes, randomUUID, verify } from 'node:crypto'
import { searchedText } from '@countersign/core/storage'
import Sqlite from 'better-sqlite3'
import { answerCalls } from '../harness/program.ts'
import { repeat } from '../harness/round.ts'
import { codeOf, createProjects, idOf, projectToCreate } from '../projects.ts'
import { challengeSigner, type HeldDevice } from '../seeds.ts'

/**
 * The least statements of an operation on SQLite, prepared, in one durable commit after another, in a process that does nothing
 * else. There is no HTTP, no token, and no query that only reads.
 */
export type RawSqlite = { readonly path: string } & (
  | { readonly what: 'refresh' }
  | { readonly what: 'login' | 'confirmation'; readonly device: HeldDevice }
  | { readonly what: 'create'; readonly customer: string }
  /** Inserts rows of projects, with all indexes or without any, this many in a commit. */
  | { readonly what: 'insert'; readonly isIndexed: boolean; readonly together: number }
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
  const key = { key: createPublicKey(device.publicKey), dsaEncoding: 'der' as const }
  const challenge = randomBytes(64).toString('base64')
  const signature = Buffer.from(challengeSigner(device)(challenge), 'base64')
  const check = (): void => {
    if (!verify('sha256', Buffer.from(challenge, 'utf8'), key, signature)) throw new Error('the signature does not fit')
  }
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
  const add = prepare(`insert into countersign_confirmations (id, user_id, action_type, payload, nonce, challenge, status,
    wrong_signatures, created_at, expires_at, updated_at) values (?, ?, 'payment_approval', ?, ?, ?, 'pending', 0, ?, ?, ?)`)
  const settle = prepare(`update countersign_confirmations set status = 'approved', device_id = ?, updated_at = ?
    where id = ? and user_id = ? and status = 'pending' and expires_at > ?`)
  const payload = randomBytes(160).toString('base64')
  const initiate = database.transaction((id: string, now: number) => {
    countPending.get(userId, now)
    add(id, userId, payload, challenge, challenge, now, now + 300_000, now)
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

const COLUMNS = `id, unique_code, name, status, progress, contract_value, currency, description, searched_text, reply_date,
  customer_id, creator_id, document_file_ids, created_at, updated_at`
/** The stored value for a project without a reply date. */
const NO_DATE = 8_640_000_000_000_001

const insertInto = (database: Sqlite.Database, table: string): Run =>
  runIn(database)(`insert into ${table} (${COLUMNS}) values (${Array(15).fill('?').join(', ')})`)

/** Makes a single inserted row findable by searches, 32 rows together, as the storage does. */
const gatherIn = (database: Sqlite.Database) => {
  const prepare = runIn(database)
  const wait = prepare('insert into countersign_projects_to_index (seq) values (?)')
  const index = prepare(`insert into countersign_project_search (rowid, searched_text) select seq, searched_text
    from countersign_projects where seq in (select seq from countersign_projects_to_index) order by seq`)
  const clear = prepare('delete from countersign_projects_to_index')
  return (seq: number) => {
    wait(seq)
    if (seq % 32 === 0) index()
    if (seq % 32 === 0) clear()
  }
}

/** Creates a project with its products. Every 64th change brings the counters up to date, as in the storage. */
const creating = (database: Sqlite.Database, customer: string) => {
  const prepare = runIn(database)
  const { name, description, contractValue, currency, products } = projectToCreate(customer)
  const number = prepare(`insert into countersign_project_numbers (year, last) values (2020, 1)
    on conflict (year) do update set last = last + 1`)
  const insert = insertInto(database, 'countersign_projects')
  const gather = gatherIn(database)
  const product =
    prepare(`insert into countersign_products (id, project_id, position, name, product_type, description, attributes,
    schema_version) values (?, ?, ?, ?, ?, ?, ?, '1.0.0')`)
  const note = prepare(`insert into countersign_project_count_deltas (customer_id, status, progress, delta)
    values (?, 'pending', 'technical_negotiating', 1)`)
  const clear = prepare('delete from countersign_project_count_deltas')
  const count = prepare(`insert into countersign_project_counts (customer_id, status, progress, count)
    values ('', 'pending', 'technical_negotiating', ?), (?, 'pending', 'technical_negotiating', ?)
    on conflict (customer_id, status, progress) do update set count = count + excluded.count`)
  const raise = prepare('update countersign_project_lists set version = version + ?')
  let created = 0
  return database.transaction(() => {
    created += 1
    const [id, now] = [idOf(1_000_000_000 + created), Date.now()]
    const values = [id, `RAW-2020-${created}`, name, 'pending', 'technical_negotiating', contractValue, currency, description]
    number()
    const row = insert(...values, searchedText({ name, description }), NO_DATE, customer, 1, '[]', now, now)
    for (const [position, { productType, attributes, ...one }] of products.entries()) {
      product(randomUUID(), id, position, one.name, productType, one.description, JSON.stringify(attributes))
    }
    gather(Number(row.lastInsertRowid))
    if (Number(note(customer).lastInsertRowid) % 64 !== 0) return
    const { changes } = clear()
    count(changes, customer, changes)
    raise(changes)
  }).immediate
}

/** Inserts rows drawn beforehand, each with a new id and code in rising order. */
const inserting = (database: Sqlite.Database, isIndexed: boolean, together: number) => {
  const table = isIndexed ? 'countersign_projects' : 'plain_projects'
  if (!isIndexed) database.exec(`create table ${table} (seq integer primary key autoincrement, ${COLUMNS})`)
  let number = database.prepare<[], number>('select max(seq) from countersign_projects').pluck().get() ?? 0
  const project = createProjects(20_270_101, 1)
  const drawn = Array.from({ length: 5000 }, (_, index) => project(number + index))
  const insert = insertInto(database, table)
  const gather = gatherIn(database)
  const index = runIn(database)(`insert into countersign_project_search (rowid, searched_text)
    select seq, searched_text from countersign_projects where seq > ? order by seq`)
  return database.transaction(() => {
    let last = 0
    for (let row = 0; row < together; row += 1) {
      const { name, status, progress, contractValue, currency, description, replyDate, customerId, updatedAt } = drawn[
        number % drawn.length
      ] as (typeof drawn)[number]
      number += 1
      const texts = [name, status, progress, contractValue, currency, description, searchedText({ name, description })]
      const rest = [replyDate ?? NO_DATE, customerId, 1, '[]', updatedAt + number, updatedAt + number]
      last = Number(insert(idOf(number), codeOf(number), ...texts, ...rest).lastInsertRowid)
    }
    // A request indexes its one row (`gather`); a move between databases indexes many rows at once (`index`).
    if (isIndexed) together === 1 ? gather(last) : index(last - together)
  }).immediate
}

const operationOf = (database: Sqlite.Database, given: RawSqlite): (() => void) => {
  if (given.what === 'refresh') return refreshing(database)
  if (given.what === 'create') return creating(database, given.customer)
  if (given.what === 'insert') return inserting(database, given.isIndexed, given.together)
  return signing(database, given.device)[given.what]
}

let operate = (): void => {}
let each = 1

export const program = answerCalls({
  open: async (given: RawSqlite): Promise<void> => {
    const database = new Sqlite(given.path)
    // The settings of our writer: acknowledged data is on the disk.
    for (const pragma of ['journal_mode = wal', 'synchronous = full', 'wal_autocheckpoint = 4000', 'foreign_keys = on']) {
      database.pragma(pragma)
    }
    if (given.what === 'insert') each = given.together
    operate = operationOf(database, given)
  },
  round: async (seconds: number) => {
    const { operations, ...round } = await repeat([operate], seconds)
    return { ...round, operations: operations * each }
  },
})
