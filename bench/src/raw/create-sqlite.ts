import { randomUUID } from 'node:crypto'
import type Sqlite from 'better-sqlite3'
import { answerCalls } from '../harness/calls.ts'
import { repeat } from '../harness/repeat.ts'
import { projectToCreate } from '../seeds/project-to-create.ts'
import { openDurable } from './open-sqlite.ts'

export interface CreateLimit {
  readonly path: string
  readonly customerId: string
  /**
   * `project`: a project with all that belongs to it, each in one durable transaction; `row` and `plain row`: rows of
   * projects in transactions of a thousand, with the indexes and the search index, and without any.
   */
  readonly what: 'project' | 'row' | 'plain row'
}

const ROWS_PER_TRANSACTION = 1000

const columns = `id, unique_code, name, status, progress, contract_value, currency, description, searched_text, reply_date,
  customer_id, creator_id, document_file_ids, created_at, updated_at`

/** What a row holds, new each time. */
const rowOf = (customerId: string) => {
  const { name, description, contractValue, currency } = projectToCreate(customerId)
  const id = randomUUID()
  const now = Date.now()
  const searchedText = `${name} ${description} ${id}`.toLowerCase()
  const values = [id, `RAW-${id}`, name, 'pending', 'technical_negotiating', contractValue, currency, description]
  return { id, searchedText, values: [...values, searchedText, 8_640_000_000_000_001, customerId, 1, '[]', now, now] }
}

const insertInto = (database: Sqlite.Database, table: string) =>
  database.prepare<unknown[], { seq: number }>(
    `insert into ${table} (${columns}) values (${Array(15).fill('?').join(', ')}) returning seq`,
  )

const insertSearch = (database: Sqlite.Database) =>
  database.prepare('insert into project_search (rowid, searched_text) values (?, ?)')

/** The statements of a project in one durable transaction, all prepared. */
const projectIn = (database: Sqlite.Database, customerId: string): (() => void) => {
  const nextNumber = database.prepare(
    `insert into project_numbers (year, last) values (2020, 1) on conflict (year) do update set last = last + 1 returning last`,
  )
  const insert = insertInto(database, 'projects')
  const search = insertSearch(database)
  const product = database.prepare(
    `insert into products (id, project_id, position, name, product_type, description, attributes, schema_version)
      values (?, ?, ?, ?, ?, ?, ?, '1.0.0')`,
  )
  const version = database.prepare('update project_lists set version = version + 1')
  const count = database.prepare(
    `insert into project_counts (customer_id, status, progress, count)
      values ('', 'pending', 'technical_negotiating', 1), (?, 'pending', 'technical_negotiating', 1)
      on conflict (customer_id, status, progress) do update set count = count + 1`,
  )
  const { products } = projectToCreate(customerId)
  return database.transaction(() => {
    const { id, searchedText, values } = rowOf(customerId)
    nextNumber.get()
    const added = insert.get(values)
    for (const [position, { name, productType, description, attributes }] of products.entries()) {
      product.run(randomUUID(), id, position, name, productType, description, JSON.stringify(attributes))
    }
    search.run(added?.seq, searchedText)
    version.run()
    count.run(customerId)
  }).immediate
}

/** A thousand rows in one transaction; each row is an operation. */
const rowsIn = (database: Sqlite.Database, customerId: string, isPlain: boolean): (() => void) => {
  if (isPlain) {
    database.exec(`create table plain_projects (seq integer primary key autoincrement, ${columns})`)
  }
  const insert = insertInto(database, isPlain ? 'plain_projects' : 'projects')
  const search = insertSearch(database)
  return database.transaction(() => {
    for (let row = 0; row < ROWS_PER_TRANSACTION; row += 1) {
      const { searchedText, values } = rowOf(customerId)
      const added = insert.get(values)
      if (!isPlain) search.run(added?.seq, searchedText)
    }
  }).immediate
}

let operate: () => void = () => {}
let operationsEach = 1

const open = async ({ path, customerId, what }: CreateLimit): Promise<void> => {
  const database = openDurable(path)
  if (what === 'project') {
    operate = projectIn(database, customerId)
    return
  }
  operate = rowsIn(database, customerId, what === 'plain row')
  operationsEach = ROWS_PER_TRANSACTION
}

const round = async (seconds: number) => {
  const { latency, operations, ...times } = await repeat([operate], seconds)
  return { ...times, operations: operations * operationsEach, ...(latency !== undefined && operationsEach === 1 && { latency }) }
}

export const methods = { open, round }

answerCalls(methods)
