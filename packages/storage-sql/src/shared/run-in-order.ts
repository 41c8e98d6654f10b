import type { Kysely } from 'kysely'
import type { Tables } from '../tables/index.ts'
import type { Statements } from './engine.ts'
import { rowsWritten } from './run-compiled.ts'

/** Runs statements one after another, and returns the number of rows that each of them wrote. */
export const runInOrder = async (db: Kysely<Tables>, statements: Statements): Promise<readonly number[]> => {
  const written: number[] = []
  for (const statement of statements(db)) written.push(await rowsWritten(db, statement))
  return written
}
