import { randomUUID } from 'node:crypto'
import { searchedText } from '@countersign/core/storage'
import type Sqlite from 'better-sqlite3'
import { answerCalls } from '../harness/calls.ts'
import { repeat } from '../harness/repeat.ts'
import { idOf } from '../lists/projects.ts'
import { projectToCreate } from '../seeds/project-to-create.ts'
import { openDurable } from './open-sqlite.ts'
import { gatherIn, insertInto, NO_DATE } from './project-rows.ts'

export interface CreateLimit {
  readonly path: string
  readonly customerId: string
}

/** A number above those of all existing projects. */
const FIRST_NUMBER = 1_000_000_000

/** Returns the values of a new row each time. Ids and codes rise, as for real projects. */
const createRows = (customerId: string) => {
  const { name, description, contractValue, currency } = projectToCreate(customerId)
  const text = searchedText({ name, description })
  let number = 0
  return () => {
    number += 1
    const now = Date.now()
    const id = idOf(FIRST_NUMBER + number)
    const values = [id, `RAW-2020-${number}`, name, 'pending', 'technical_negotiating', contractValue, currency, description]
    return { id, values: [...values, text, NO_DATE, customerId, 1, '[]', now, now] }
  }
}

/** The number of changes after which the counters are brought up to date, as in the storage. */
const FOLD_EVERY = 64

/** Returns a function that counts a new project of a customer. */
const countIn = (database: Sqlite.Database): ((customerId: string) => void) => {
  const insert = database.prepare(
    `insert into countersign_project_count_deltas (customer_id, status, progress, delta)
      values (?, 'pending', 'technical_negotiating', 1)`,
  )
  const clear = database.prepare('delete from countersign_project_count_deltas')
  const count = database.prepare(
    `insert into countersign_project_counts (customer_id, status, progress, count)
      values ('', 'pending', 'technical_negotiating', ?), (?, 'pending', 'technical_negotiating', ?)
      on conflict (customer_id, status, progress) do update set count = count + excluded.count`,
  )
  const version = database.prepare('update countersign_project_lists set version = version + ?')
  return (customerId) => {
    if (Number(insert.run(customerId).lastInsertRowid) % FOLD_EVERY !== 0) return
    const { changes } = clear.run()
    count.run(changes, customerId, changes)
    version.run(changes)
  }
}

/** Returns a function that inserts a project in one durable transaction with prepared statements. */
const projectIn = (database: Sqlite.Database, customerId: string): (() => void) => {
  const nextNumber = database.prepare(
    `insert into countersign_project_numbers (year, last) values (2020, 1) on conflict (year) do update set last = last + 1 returning last`,
  )
  const insert = insertInto(database, 'countersign_projects')
  const gather = gatherIn(database)
  const nextRow = createRows(customerId)
  const product = database.prepare(
    `insert into countersign_products (id, project_id, position, name, product_type, description, attributes, schema_version)
      values (?, ?, ?, ?, ?, ?, ?, '1.0.0')`,
  )
  const count = countIn(database)
  const { products } = projectToCreate(customerId)
  return database.transaction(() => {
    const { id, values } = nextRow()
    nextNumber.get()
    const { lastInsertRowid } = insert.run(...values)
    for (const [position, { name, productType, description, attributes }] of products.entries()) {
      product.run(randomUUID(), id, position, name, productType, description, JSON.stringify(attributes))
    }
    gather(Number(lastInsertRowid))
    count(customerId)
  }).immediate
}

let operate: () => void = () => {}

const open = async ({ path, customerId }: CreateLimit): Promise<void> => {
  operate = projectIn(openDurable(path), customerId)
}

const round = (seconds: number) => repeat([operate], seconds)

export const methods = { open, round }

answerCalls(methods)
