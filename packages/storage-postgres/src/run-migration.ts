import { setTimeout } from 'node:timers/promises'
import { Unavailable } from '@countersign/core/storage'
import type { RunMigrationStep, Tables } from '@countersign/storage-sql'
import { type CompiledQuery, type Dialect, Kysely, type KyselyPlugin, PostgresQueryCompiler, sql } from 'kysely'
import { blockersOf, whileWatching } from './blockers.ts'
import { postgresDialect } from './dialect.ts'
import { disableTimeouts } from './disable-timeouts.ts'
import { canRetry } from './errors.ts'
import type { Pool } from './pool.ts'

/** Returns the same dialect, except that each index is created concurrently, unless the index exists. */
const withConcurrentIndexes = (dialect: Dialect): Dialect => ({
  ...dialect,
  createQueryCompiler: () => new ConcurrentIndexes(),
})

class ConcurrentIndexes extends PostgresQueryCompiler {
  override compileQuery(...query: Parameters<PostgresQueryCompiler['compileQuery']>): CompiledQuery {
    const compiled = super.compileQuery(...query)
    const text = compiled.sql.replace(/^create (unique )?index /, 'create $1index concurrently if not exists ')
    return { ...compiled, sql: text }
  }
}

/** Drops the invalid indexes of an interrupted migration, which are never read; not those of a `reindex concurrently`. */
const dropInvalidIndexes = async (db: Kysely<Tables>, schema: string): Promise<void> => {
  const { rows } = await sql<{ readonly name: string }>`
    select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = to_regnamespace(${schema}) and not indisvalid and relname !~ '_cc(new|old)[0-9]*$'`.execute(db)
  for (const { name } of rows) await sql`drop index concurrently if exists ${sql.id(schema, name)}`.execute(db)
}

/** Milliseconds that a statement waits for a lock. All later statements on the same table wait behind it, logins included. */
const LOCK_TIMEOUT = 500
/** Milliseconds between two attempts. The pause doubles after each attempt. */
const FIRST_PAUSE = 1000
const LONGEST_PAUSE = 30_000
/** Milliseconds between two looks at whether another process still migrates. */
const TURN_PAUSE = 200

interface MigrationOptions {
  /** The database on connections of the pool. One of them has the lock, in a transaction, because a pooler may mix sessions. */
  readonly lockHolder: Kysely<Tables>
  /** A single connection without timeouts, for the steps. */
  readonly worker: Pool
  readonly schema: string
  readonly plugins: readonly KyselyPlugin[]
  readonly onWait: ((why: string) => void) | undefined
}

/** Waits until no other process migrates the schema, and runs the work. See `Engine.migration`. */
export const runMigration = async <T>(options: MigrationOptions, work: (runStep: RunMigrationStep) => Promise<T>): Promise<T> => {
  // Waiting for the lock in a statement would block the building of indexes, which waits for every statement that is running.
  for (;;) {
    const done = await options.lockHolder.transaction().execute(async (lock) => {
      await disableTimeouts(lock)
      if (!(await tryLock(lock, options.schema))) return undefined
      // An answered query keeps its snapshot until the next statement. The building of an index would wait for the snapshot.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(lock)
      return { result: await work(stepRunner(options)) }
    })
    if (done !== undefined) return done.result
    await setTimeout(TURN_PAUSE)
  }
}

const tryLock = async (tx: Kysely<Tables>, schema: string): Promise<boolean> => {
  // Advisory locks belong to the whole database, so the key contains the schema.
  const { rows } = await sql<{ readonly locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`countersign migrations of ${schema}`}, 0)) as locked`.execute(tx)
  return rows[0]?.locked === true
}

const stepRunner = ({ lockHolder, worker, schema, plugins, onWait = () => {} }: MigrationOptions): RunMigrationStep => {
  const dialect = postgresDialect(worker)
  const db = new Kysely<Tables>({ dialect, plugins: [...plugins] })
  const concurrentDb = new Kysely<Tables>({ dialect: withConcurrentIndexes(dialect), plugins: [...plugins] })

  return async (step, { indexesConcurrently } = { indexesConcurrently: false }) => {
    let blockers = ''
    const watched = async <T>(on: Kysely<Tables>, work: () => Promise<T>): Promise<T> => {
      const pid = await backendOf(on)
      // Runs outside of the transaction of the lock: building an index would wait for a statement of that transaction.
      return whileWatching(work, async (isOver) => {
        const found = await blockersOf(lockHolder, pid)
        if (isOver()) return
        // A concurrent index waits without keeping anybody waiting, so it is reported but never given up.
        if (indexesConcurrently && found !== '' && found !== blockers) onWait(`The migration builds an index and waits: ${found}`)
        if (found !== '') blockers = found
      })
    }
    const attempt = () => {
      if (!indexesConcurrently) {
        return db.transaction().execute(async (tx) => {
          await disableTimeouts(tx)
          await sql`select set_config('lock_timeout', ${String(LOCK_TIMEOUT)}, true)`.execute(tx)
          return watched(tx, () => step(tx))
        })
      }
      return watched(concurrentDb, async () => {
        await dropInvalidIndexes(concurrentDb, schema)
        return step(concurrentDb)
      })
    }
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      blockers = ''
      try {
        return await attempt()
      } catch (error) {
        if (!isBlocked(error)) throw error
        onWait(`The migration waits: ${blockers || 'another process holds a lock'}. It tries again in ${pause / 1000} s`)
      }
      await setTimeout(pause)
    }
  }
}

const isBlocked = (error: unknown): boolean =>
  error instanceof Unavailable ? error.reason === 'database_locked' : canRetry(error)

const backendOf = async (db: Kysely<Tables>): Promise<number> => {
  const { rows } = await sql<{ readonly pid: number }>`select pg_backend_pid() as pid`.execute(db)
  return Number(rows[0]?.pid)
}
