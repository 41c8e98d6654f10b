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

export interface SweepStep {
  readonly kind: SweptKind
  /** The rows of one batch, if that is not `SWEEP_BATCH`. */
  readonly batch?: number
  /** Deletes at most one batch of rows, and returns their number. */
  delete(database: Database, times: SweepTimes): Promise<number>
  count(database: Database, times: SweepTimes): Promise<number>
}

type TableName = keyof Tables & string

/** Returns the condition of the rows that can be deleted now. */
type IsExpired<T extends TableName> = (the: ExpressionBuilder<Tables, T>, now: Instant) => Expression<SqlBool>

type KeyOf<T extends TableName> = readonly (keyof Tables[T] & string)[]

export const countRows = <T extends TableName>(
  database: Database,
  table: T,
  where: IsExpired<T>,
  now: Instant,
): Promise<number> => {
  const isExpired = () => where(expressionBuilder<Tables, T>(), now)
  return countOf(database, (db) => db.selectFrom(table as 'challenges').where(isExpired))
}

/**
 * Makes the step that deletes expired rows. The condition is repeated outside of the subquery, because the database checks only
 * that one again after a concurrent change.
 */
export const deleting = <T extends TableName>(kind: SweptKind, table: T, key: KeyOf<T>, where: IsExpired<T>): SweepStep => ({
  kind,
  delete: (database, { now }) => {
    const isExpired = () => where(expressionBuilder<Tables, T>(), now)
    // The compiler knows every table by the same name here.
    const [from, columns] = [table as 'challenges', key as readonly string[] as readonly 'id'[]]
    return countWritten(database, (db) =>
      db
        .deleteFrom(from)
        .where(isExpired)
        .where(({ selectFrom }) => {
          const batch = selectFrom(from).select(columns).where(isExpired).limit(SWEEP_BATCH)
          return sql<SqlBool>`(${sql.join(columns.map((column) => sql.ref(column)))}) in ${batch}`
        }),
    )
  },
  count: (database, { now }) => countRows(database, table, where, now),
})

/** Makes the step for records whose retention has passed. Without a limit the records stay. */
const afterRetention = (
  { kind, retention }: { readonly kind: SweptKind; readonly retention: RetainedKind },
  stepFor: (before: Instant) => Pick<SweepStep, 'delete' | 'count'>,
): SweepStep => {
  const within = (work: 'delete' | 'count') => async (database: Database, times: SweepTimes) => {
    const before = times.limits[retention]
    return before === undefined ? 0 : stepFor(before)[work](database, times)
  }
  return { kind, delete: within('delete'), count: within('count') }
}

/** Makes the step that deletes records of one table whose retention has passed. */
export const deletingRecords = <T extends TableName>(
  records: { readonly kind: SweptKind; readonly retention: RetainedKind },
  table: T,
  key: KeyOf<T>,
  where: (the: ExpressionBuilder<Tables, T>, before: Instant, now: Instant) => Expression<SqlBool>,
): SweepStep => afterRetention(records, (before) => deleting(records.kind, table, key, (the, now) => where(the, before, now)))

/** Much longer than any pause between two polls. A process that pauses longer clears its cache. */
const CHANGES_KEPT = 3_600_000

/** Keeps the newest change, so that a process that polls after a long time notices the missing ones. */
const sweepChanges = deleting('changes', 'changes', ['seq'], (the, now) =>
  the.and([
    the('at', '<', now - CHANGES_KEPT),
    the('seq', '<', ({ selectFrom }) => selectFrom('changes as all').select(({ fn }) => fn.max('all.seq').as('newest'))),
  ]),
)

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
  readonly delete: (tx: Database, ids: readonly string[]) => Promise<void>
}

/** Makes the step that deletes records and their parts, one batch in each transaction. */
export const deletingTogether = (records: RecordsWithParts): SweepStep => ({
  ...afterRetention(records, (before) => ({
    delete: (database) =>
      database.transaction(async (tx) => {
        const rows = await tx.read((db) => records.select(db, before).limit(BATCH))
        const ids = rows.map(({ id }) => id)
        if (ids.length > 0) await records.delete(tx, ids)
        return ids.length
      }),
    count: (database) => countOf(database, (db) => records.select(db, before).clearSelect()),
  })),
  batch: BATCH,
})
