import { type Change, MAX_REPORTED } from '@countersign/storage-sql'
import type pg from 'pg'

const KINDS = {
  session: true,
  user: true,
  service_token: true,
  sessions_of_user: true,
  confirmation: true,
  approval_request: true,
} satisfies Record<Change['kind'], true>

const isKind = (text: string): text is Change['kind'] => Object.hasOwn(KINDS, text)

/** Returns the changes of rows; `unknown` if they are too many, or if only a newer version of the program knows a kind. */
const toChanges = (rows: readonly string[]): readonly Change[] | 'unknown' => {
  if (rows.length > MAX_REPORTED) return 'unknown'
  const changes: Change[] = []
  for (const row of rows) {
    const [kind = '', subject] = row.split(' ')
    if (subject === undefined || !isKind(kind)) return 'unknown'
    changes.push({ kind, subject })
  }
  return changes
}

/** The state of the database at one read, as PostgreSQL writes a `pg_snapshot`. */
export type Snapshot = string

/** The changes between two reads, and the state at the later read. */
export interface ReadChanges {
  readonly snapshot: Snapshot
  readonly changes: readonly Change[] | 'unknown'
}

/**
 * A transaction that the earlier snapshot did not show had not begun or ended then. Row numbers would not show this: a transaction
 * can get its number first and commit last. A restored row may name a transaction that the server has not reached yet, which the
 * upper bound excludes.
 */
const readSince = (schema: string): string => `
  select pg_current_snapshot()::text as snapshot, array(
    select kind || ' ' || subject from "${schema}".changes
    where (transaction >= pg_snapshot_xmax($1::pg_snapshot) and transaction < pg_snapshot_xmax(pg_current_snapshot()))
      or transaction = any(array(select pg_snapshot_xip($1::pg_snapshot)))
    limit ${MAX_REPORTED + 1}
  ) as changes`

/** Reads every change that was committed since an earlier read. The first read reports `unknown`. */
export const readChanges = async (client: pg.Client, schema: string, since: Snapshot | undefined): Promise<ReadChanges> => {
  if (since === undefined) {
    const { rows } = await client.query<{ snapshot: string }>('select pg_current_snapshot()::text as snapshot')
    return { snapshot: rows[0]?.snapshot ?? '', changes: 'unknown' }
  }
  const { rows } = await client.query<{ snapshot: string; changes: string[] }>(readSince(schema), [since])
  return { snapshot: rows[0]?.snapshot ?? '', changes: toChanges(rows[0]?.changes ?? []) }
}
