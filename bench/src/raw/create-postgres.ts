import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { answerCalls } from '../harness/calls.ts'
import { repeat } from '../harness/repeat.ts'
import type { WritesOptions } from '../workers/writes.ts'
import { NO_DATE } from './project-rows.ts'

/**
 * Creates projects as one would first think of it: one transaction takes the next number from the row of the year, inserts the
 * project, raises the version of the lists, and counts the project in the counters. Every creation waits for these rows until the
 * one before has been committed.
 */

const YEAR = 2020

const statements = {
  number: `insert into project_numbers (year, last) values (${YEAR}, 1)
    on conflict (year) do update set last = project_numbers.last + 1 returning last`,
  project: `insert into projects (id, unique_code, name, status, progress, contract_value, currency, description, searched_text,
      reply_date, customer_id, creator_id, document_file_ids, created_at, updated_at)
    values ($1, $2, $3, 'pending', 'technical_negotiating', 1000, 'EUR', '', $3, ${NO_DATE}, $4, $5, '[]', $6, $6)`,
  version: 'update project_lists set version = version + 1',
  count: `insert into project_counts (customer_id, status, progress, count)
    values ('', 'pending', 'technical_negotiating', 1), ($1, 'pending', 'technical_negotiating', 1)
    on conflict (customer_id, status, progress) do update set count = project_counts.count + 1`,
} as const

const create = async (pool: pg.Pool, { customerId, userId }: WritesOptions): Promise<void> => {
  const client = await pool.connect()
  const send = (name: keyof typeof statements, values: readonly unknown[] = []) =>
    client.query<{ last: string }>({ name, text: statements[name], values: [...values] })
  try {
    await client.query('begin')
    const { rows } = await send('number')
    await send('project', [randomUUID(), `RAW-${YEAR}-${rows[0]?.last}`, 'project', customerId, userId, Date.now()])
    await send('version')
    await send('count', [customerId])
    await client.query('commit')
  } finally {
    client.release()
  }
}

let operations: readonly (() => Promise<void>)[] = []

export const methods = {
  open: async (given: WritesOptions): Promise<void> => {
    const pool = new pg.Pool({ connectionString: given.url, max: given.connections, options: '-c search_path=countersign' })
    operations = Array.from({ length: given.connections }, () => () => create(pool, given))
  },
  round: (seconds: number) => repeat(operations, seconds),
}

answerCalls(methods)
