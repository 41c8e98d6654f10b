import type { SweptKind, SweptRows } from '@countersign/core'
import type { Instant, OnSwept, RetainedKind, SweepLimits } from '@countersign/core/storage'
import {
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type Kysely,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { Tables } from '../tables/index.ts'
import { countOf, countWritten, type Database } from './database.ts'

/** The most rows of one step. Other callers run between two steps. */
export const SWEEP_BATCH = 500

/** The time of a sweep, and the times before which finished records are deleted. */
export interface SweepTimes {
  readonly now: Instant
  readonly limits: SweepLimits
}

/** One kind of rows that a sweep deletes. */
export interface SweepStep {
  readonly kind: SweptKind
  /** The rows of one batch, if that is not `SWEEP_BATCH`. */
  readonly batch?: number
  /** Deletes at most one batch of rows, and returns their number. */
  delete(database: Database, times: SweepTimes): Promise<number>
  /** Counts the rows that can be deleted now. */
  count(database: Database, times: SweepTimes): Promise<number>
}

type TableName = keyof Tables & string

/** The rows of a table that can be deleted. The condition is declared once, for deleting and for counting. */
interface ExpiredRows<T extends TableName> {
  readonly kind: SweptKind
  readonly table: T
  /** The columns of the primary key. */
  readonly key: readonly (keyof Tables[T] & string)[]
  /** The condition. */
  readonly where: (the: ExpressionBuilder<Tables, T>, now: Instant) => Expression<SqlBool>
}

/** Rows whose condition has the time before which records are deleted, in place of the current time. */
interface RetainedRows<T extends TableName> extends Omit<ExpiredRows<T>, 'where'> {
  readonly retention: RetainedKind
  readonly where: (the: ExpressionBuilder<Tables, T>, before: Instant, now: Instant) => Expression<SqlBool>
}

/** Returns the builder of one condition. The compiler knows every table by the same name from here on. */
const build = <T extends TableName>(rows: ExpiredRows<T>, now: Instant) => {
  const { table, key, where } = rows as unknown as ExpiredRows<'challenges'>
  return { table, key: key as readonly 'id'[], isExpired: () => where(expressionBuilder<Tables, 'challenges'>(), now) }
}

/**
 * Deletes one batch. The condition is repeated outside of the subquery, because the database checks only that one again after a
 * concurrent change.
 */
const deleteBatch = <T extends TableName>(database: Database, rows: ExpiredRows<T>, now: Instant): Promise<number> => {
  const { table, key, isExpired } = build(rows, now)
  const columns = sql`(${sql.join(key.map((column) => sql.ref(column)))})`
  return countWritten(database, (db) =>
    db
      .deleteFrom(table)
      .where(isExpired)
      .where(({ selectFrom }) => {
        const batch = selectFrom(table).select(key).where(isExpired).limit(SWEEP_BATCH)
        return sql<SqlBool>`${columns} in ${batch}`
      }),
  )
}

export const countRows = <T extends TableName>(
  database: Database,
  rows: Pick<ExpiredRows<T>, 'table' | 'where'>,
  now: Instant,
): Promise<number> => {
  const { table, isExpired } = build(rows as ExpiredRows<T>, now)
  return countOf(database, (db) => db.selectFrom(table).where(isExpired))
}

/** Makes the step that deletes expired rows. */
export const deleting = <T extends TableName>(rows: ExpiredRows<T>): SweepStep => ({
  kind: rows.kind,
  delete: (database, { now }) => deleteBatch(database, rows, now),
  count: (database, { now }) => countRows(database, rows, now),
})

/** Makes the step that deletes records whose retention has passed. Without a limit the records stay. */
export const deletingRecords = <T extends TableName>({ retention, where, ...rows }: RetainedRows<T>): SweepStep => {
  const within =
    (work: (database: Database, rows: ExpiredRows<T>, now: Instant) => Promise<number>) =>
    async (database: Database, { now, limits }: SweepTimes): Promise<number> => {
      const before = limits[retention]
      if (before === undefined) return 0
      return work(database, { ...rows, where: (the) => where(the, before, now) }, now)
    }
  return { kind: rows.kind, delete: within(deleteBatch), count: within(countRows) }
}

/** Much longer than any pause between two polls. A process that pauses longer clears its cache. */
const CHANGES_KEPT = 3_600_000

/** Keeps the newest change, so that a process that polls after a long time notices the missing ones. */
const sweepChanges = deleting({
  kind: 'changes',
  table: 'changes',
  key: ['seq'],
  where: (the, now) =>
    the.and([
      the('at', '<', now - CHANGES_KEPT),
      the('seq', '<', ({ selectFrom }) => selectFrom('changes as all').select(({ fn }) => fn.max('all.seq').as('newest'))),
    ]),
})

/** Deletes the rows that no rule needs, by the steps in their order and last the changes. Returns their number of each kind. */
export const sweep = async (
  database: Database,
  steps: readonly SweepStep[],
  times: SweepTimes,
  onSwept: OnSwept,
): Promise<SweptRows> => {
  const swept: Partial<Record<SweptKind, number>> = {}
  for (const step of [...steps, sweepChanges]) {
    for (;;) {
      const deleted = await step.delete(database, times)
      if (deleted > 0) {
        swept[step.kind] = (swept[step.kind] ?? 0) + deleted
        onSwept(step.kind, deleted)
      }
      if (deleted < (step.batch ?? SWEEP_BATCH)) break
    }
  }
  return swept
}

/** Counts the rows that `sweep` would delete, by kind. */
export const countSweepable = async (database: Database, steps: readonly SweepStep[], times: SweepTimes): Promise<SweptRows> => {
  const counted: Partial<Record<SweptKind, number>> = {}
  for (const step of [...steps, sweepChanges]) {
    const rows = await step.count(database, times)
    if (rows > 0) counted[step.kind] = (counted[step.kind] ?? 0) + rows
  }
  return counted
}

/** The most records of one step. Each may have many rows in other tables. */
const BATCH = 100

/** Records that are deleted together with rows of other tables. */
interface RecordsWithParts {
  readonly kind: SweptKind
  readonly retention: RetainedKind
  /** Selects the ids of records that can be deleted. Such a record never changes again. */
  readonly select: (db: Kysely<Tables>, before: Instant) => SelectQueryBuilder<Tables, never, { readonly id: string }>
  /** Deletes the records with these ids, and their parts. */
  readonly delete: (tx: Database, ids: readonly string[]) => Promise<void>
}

/** Makes the step that deletes records and their parts, one batch in each transaction. */
export const deletingTogether = (records: RecordsWithParts): SweepStep => {
  const { kind, retention, select } = records
  const deleteBatch = (database: Database, before: Instant): Promise<number> =>
    database.transaction(async (tx) => {
      const rows = await tx.read((db) => select(db, before).limit(BATCH).execute())
      const ids = rows.map(({ id }) => id)
      if (ids.length > 0) await records.delete(tx, ids)
      return ids.length
    })
  return {
    kind,
    batch: BATCH,
    delete: async (database, { limits }) => {
      const before = limits[retention]
      return before === undefined ? 0 : deleteBatch(database, before)
    },
    count: async (database, { limits }) => {
      const before = limits[retention]
      if (before === undefined) return 0
      return countOf(database, (db) => select(db, before).clearSelect())
    },
  }
}
