import {
  type DataMoveOptions,
  DataMoveRefused,
  type DataSnapshot,
  type DataSource,
  type MovedTable,
  type StoredTable,
} from '@countersign/core/storage'
import type { Kysely } from 'kysely'
import type { Tables } from '../../tables/index.ts'
import type { DialectFeatures } from '../dialect-features.ts'
import type { Engine } from '../engine.ts'
import { begin, restart } from './begin.ts'
import { requireCopied, requireMovedBefore } from './compare.ts'
import { type Contents, readContents } from './contents.ts'
import { copyTables, isSourceUnchanged } from './copy-tables.ts'
import { openSnapshot } from './open-snapshot.ts'
import { type CopiedTables, copiedRows, endProgress, isBeingFilled, readProgress } from './progress.ts'
import { readTables } from './read-tables.ts'
import { countAllRows, reportPhase } from './report-rows.ts'

export interface Target {
  readonly engine: Pick<Engine, 'longWork'>
  readonly features: DialectFeatures
  /** The names of all migrations of this program. */
  readonly migrations: readonly string[]
  /** Applies the pending migrations. */
  migrate(): Promise<unknown>
}

/** A running move: the connection to the target, and the target's tables. */
interface Move extends DataMoveOptions {
  readonly db: Kysely<Tables>
  readonly features: DialectFeatures
  readonly tables: readonly StoredTable[]
}

const requireSameMigrations = (source: readonly string[], target: readonly string[]): void => {
  const isMissingIn = (names: readonly string[]) => (name: string) => !names.includes(name)
  const pending = target.filter(isMissingIn(source))
  if (pending.length > 0) {
    throw new DataMoveRefused(`The source has pending migrations (${pending.join(', ')}); apply them with this version first`)
  }
  const newer = source.filter(isMissingIn(target))
  if (newer.length > 0) throw new DataMoveRefused(`The source belongs to a newer version (${newer.join(', ')}); use that one`)
}

/** Refuses a source that does not fit. Writes nothing, so that a refused target stays unchanged. */
const requireFitting = async ({ features, migrations }: Target, db: Kysely<Tables>, from: DataSnapshot): Promise<void> => {
  const target = await openSnapshot(db, features)
  if (from.database === target.database) throw new DataMoveRefused('Both databases are the same')
  requireSameMigrations(from.migrations, [...new Set([...migrations, ...target.migrations])])
}

/** Runs a step of a move. @throws DataMoveRefused if the step fails because another process has ended the move meanwhile */
const runStep = async <T>({ db, features }: Move, step: () => Promise<T>): Promise<T> => {
  try {
    return await step()
  } catch (cause) {
    const goesOn = await isBeingFilled(db, features.dataMoves).catch(() => true)
    if (goesOn || cause instanceof DataMoveRefused) throw cause
    throw new DataMoveRefused('Another move into the target has ended meanwhile', { cause })
  }
}

/** Begins a move, or resumes an interrupted one, and returns its progress. Returns `undefined` if the target is in use. */
const resumeOrBegin = async (move: Move, from: DataSnapshot): Promise<CopiedTables | undefined> => {
  const { db, features, tables, onProgress } = move
  const copied = await readProgress(db, features.dataMoves)
  if (copied === undefined) return begin(db, features, tables)
  const recheck = reportPhase('recheck', copiedRows(copied), onProgress)
  if (await isSourceUnchanged(from, tables, copied, recheck)) return copied
  return runStep(move, () => restart(db, features, tables, copied))
}

/** Copies the rows that are not copied yet, and returns the progress. Returns `undefined` if the target is in use. */
const copyAll = async (move: Move, from: DataSnapshot): Promise<CopiedTables | undefined> => {
  const { db, features, tables, onProgress } = move
  const copied = await resumeOrBegin(move, from)
  if (copied === undefined) return undefined
  const report = reportPhase('copy', await countAllRows(from, tables), onProgress, copiedRows(copied))
  return runStep(move, () => copyTables({ db, features: features.dataMoves, from, tables, report }, copied))
}

/** Sets the counters, builds the indexes and ends the move. From then on the target may be used. */
const finish = ({ db, features, tables, onProgress }: Move, { lastCounted }: Contents, rows: number): Promise<void> =>
  db.transaction().execute(async (tx) => {
    onProgress?.({ phase: 'complete', table: '', rows, total: rows })
    for (const { name, counted } of tables) {
      if (counted !== undefined) await features.dataMoves.countFrom(tx, name, counted, lastCounted.get(name) ?? '0')
    }
    await features.dataMoves.complete(tx, tables)
    await endProgress(tx)
  })

/** See `MigratedStorage.takeOver` of the core. */
export const takeOver = async (
  target: Target,
  source: DataSource,
  { onProgress = () => {} }: DataMoveOptions = {},
): Promise<readonly MovedTable[]> =>
  target.engine.longWork(async (db) => {
    const { features } = target
    const { move, copied } = await source.snapshot(async (from) => {
      await requireFitting(target, db, from)
      await target.migrate()
      const begun: Move = { db, features, tables: await readTables(db, features.dataMoves), onProgress }
      return { move: begun, copied: await copyAll(begun, from) }
    })

    // A second snapshot shows whether the source was written to while it was copied.
    const there = await source.snapshot(async (from) => {
      const total = 2 * (await countAllRows(from, move.tables))
      return { ...(await readContents(from, move.tables, reportPhase('verify', total, onProgress))), total }
    })
    const halfway = reportPhase('verify', there.total, onProgress, there.total / 2)
    const here = await readContents(await openSnapshot(db, features), move.tables, halfway)
    if (copied === undefined) requireMovedBefore(there, here)
    else {
      requireCopied(there, here, copied)
      await runStep(move, () => finish(move, there, there.total))
    }
    return move.tables.map(({ name }) => ({ name, rows: there.digests.get(name)?.rows ?? 0 }))
  })
