import { setImmediate } from 'node:timers'
import { Unavailable } from '@countersign/core/storage'
import type { Tables } from '@countersign/storage-sql'
import type { Kysely } from 'kysely'
import type { Connection } from './connect.ts'
import { beginImmediate, openKysely } from './dialect.ts'
import { asUnavailable } from './errors.ts'

type Work<T> = (db: Kysely<Tables>) => Promise<T>

export interface Writer {
  /** Runs one statement, which is atomic by itself. */
  write<T>(statement: Work<T>): Promise<T>
  /** Runs any number of statements; where `work` rejects, none of them happened. */
  transaction<T>(work: Work<T>): Promise<T>
  /** Resolves once all that was asked for is done. */
  drain(): Promise<void>
}

interface Unit {
  readonly needsSavepoint: boolean
  readonly run: () => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** What became of a unit, told to whoever waits for it only when that is durable. */
type Settle = () => void

/** Units that are committed together: bounds how long one group keeps the process and the database's lock. */
const LARGEST_GROUP = 100

/**
 * Writes on one connection by group commit: what is asked for within one turn of the event loop runs one after another in
 * one transaction, and shares its one wait for the disk. A unit that fails is undone alone; nobody is answered before the
 * commit, and where that fails, all of the group are refused.
 */
export const groupCommit = (connection: Connection, prefix: string): Writer => {
  const db = openKysely(connection, prefix)
  const waiting: Unit[] = []
  const onceIdle: (() => void)[] = []
  let isBusy = false

  const savepoint = connection.prepare('savepoint unit')
  const release = connection.prepare('release unit')
  const undo = connection.prepare('rollback to unit')
  const commit = connection.prepare('commit')
  const rollback = connection.prepare('rollback')

  const runUnit = async (unit: Unit): Promise<Settle> => {
    if (unit.needsSavepoint) savepoint.run()
    try {
      const value = await unit.run()
      if (unit.needsSavepoint) release.run()
      return () => unit.resolve(value)
    } catch (error) {
      // A full disk, among others, makes SQLite undo the whole transaction by itself.
      if (!connection.inTransaction) throw error
      if (unit.needsSavepoint) {
        undo.run()
        release.run()
      }
      return () => unit.reject(error)
    }
  }

  /** Settles each unit of the group, and never rejects. */
  const runGroup = async (group: readonly Unit[]): Promise<void> => {
    const outcomes: Settle[] = []
    try {
      for (const unit of group) outcomes.push(await runUnit(unit))
      commit.run()
    } catch (error) {
      return refuse(group, undoGroup() ?? error)
    }
    for (const settle of outcomes) settle()
  }

  /** Leaves the transaction that failed; returns what went wrong even in that. */
  const undoGroup = (): unknown => {
    try {
      if (connection.inTransaction) rollback.run()
    } catch (error) {
      return error
    }
    return undefined
  }

  const refuse = (units: readonly Unit[], error: unknown): void => {
    const cause = asUnavailable(error)
    const refusal = cause instanceof Unavailable ? cause : new Unavailable(undefined, { cause })
    for (const unit of units) unit.reject(refusal)
  }

  const work = async (): Promise<void> => {
    try {
      await beginImmediate(connection)
      // Only now, so that who came while another process had the lock is in the group too.
      await runGroup(waiting.splice(0, LARGEST_GROUP))
    } catch (error) {
      // All of them: behind one another, each would wait for the lock as long again.
      refuse(waiting.splice(0), error)
    }
    // In another turn: what else the process has to do comes first, and another process may take the lock.
    if (waiting.length > 0) return schedule()
    isBusy = false
    for (const resolve of onceIdle.splice(0)) resolve()
  }

  const schedule = (): void => {
    isBusy = true
    setImmediate(() => void work())
  }

  const enqueue = <T>(run: Work<T>, needsSavepoint: boolean): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ needsSavepoint, run: () => run(db), resolve: resolve as Unit['resolve'], reject })
      if (!isBusy) schedule()
    })

  return {
    write: (statement) => enqueue(statement, false),
    transaction: (unit) => enqueue(unit, true),
    drain: () =>
      new Promise((resolve) => {
        if (isBusy) onceIdle.push(resolve)
        else resolve()
      }),
  }
}
