import { AsyncLocalStorage } from 'node:async_hooks'
import { clearTimeout, setImmediate, setTimeout } from 'node:timers'
import type { StorageObserver } from '@countersign/core'
import { Unavailable } from '@countersign/core/storage'
import type { Engine, Tables } from '@countersign/storage-sql'
import type { Kysely } from 'kysely'
import type { Connection } from './connect.ts'
import { beginImmediate, observed, openKysely } from './dialect.ts'
import { type Disk, onThisThread } from './disk.ts'
import { asUnavailable, reasonOf } from './errors.ts'

type Work<T> = (db: Kysely<Tables>) => Promise<T>

export interface Writer extends Pick<Engine, 'write' | 'transaction'> {
  /** Resolves when every requested write is done. */
  drain(): Promise<void>
}

interface Unit {
  readonly needsSavepoint: boolean
  readonly run: () => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

interface Flushed {
  /** Milliseconds that another thread waited for the disk. */
  readonly waited: number
  /** The number of units that may share the next flush: those that were answered, and those that came meanwhile. */
  readonly expected: number
}

/** The outcome of a unit. The caller learns of it only after the commit. */
type Settle = () => void

/** The greatest number of units in one commit. Limits how long a group blocks the process and the database. */
const LARGEST_GROUP = 100

/** The share of the last wait for the disk that a group waits for company, and the most milliseconds of it. */
const COMPANY_SHARE = 0.25
const MOST_COMPANY = 10

/**
 * Writes on one connection by group commit. The writes of one event-loop turn run one after another in one transaction, and wait
 * for the disk only once. A failed unit is rolled back alone. No caller gets an answer before the commit; if the commit fails,
 * every unit of the group is rejected.
 *
 * @param observer Is called with a commit in the context of one of the callers that share the commit.
 * @param disk What makes commits last. By default each waits for the disk itself.
 * @param mostCompany The most milliseconds that a group waits for company after a slow flush.
 */
export const groupCommit = (
  connection: Connection,
  prefix: string,
  observer?: StorageObserver,
  disk: Disk = onThisThread,
  mostCompany = MOST_COMPANY,
): Writer => {
  const db = openKysely(connection, prefix, observer)
  const waiting: Unit[] = []
  const onceIdle: (() => void)[] = []
  let isBusy = false
  let onArrival: (() => void) | undefined

  const savepoint = connection.prepare('savepoint unit')
  const release = connection.prepare('release unit')
  const undo = connection.prepare('rollback to unit')
  const commitStatement = connection.prepare('commit')
  const runCommit = (_: { readonly sql: string }) => commitStatement.run()
  const commit = observer === undefined ? runCommit : observed(runCommit, observer)
  const rollback = connection.prepare('rollback')

  const runUnit = async (unit: Unit): Promise<Settle> => {
    if (unit.needsSavepoint) savepoint.run()
    try {
      const value = await unit.run()
      if (unit.needsSavepoint) release.run()
      return () => unit.resolve(value)
    } catch (error) {
      // SQLite rolls back the whole transaction by itself for some errors, such as a full disk.
      if (!connection.inTransaction) throw error
      if (unit.needsSavepoint) {
        undo.run()
        release.run()
      }
      return () => unit.reject(error)
    }
  }

  /** Settles each unit of the group. Never rejects. */
  const runGroup = async (group: readonly Unit[]): Promise<Flushed> => {
    const outcomes: Settle[] = []
    try {
      for (const unit of group) outcomes.push(await runUnit(unit))
      const waited = await disk.commit(() => commit({ sql: 'commit' }))
      const expected = group.length + waiting.length
      for (const settle of outcomes) settle()
      return { waited, expected }
    } catch (error) {
      refuse(group, undoGroup() ?? error)
      return { waited: 0, expected: 0 }
    }
  }

  /**
   * Waits a little after a slow flush that several waited for, or in which others came. Who was just answered often asks again at
   * once, and then shares the next flush with the others. Two parts that take turns would each wait for two flushes.
   */
  const waitForCompany = async ({ waited, expected }: Flushed): Promise<void> => {
    const milliseconds = Math.min(waited * COMPANY_SHARE, mostCompany)
    // A timer is no finer.
    if (milliseconds < 1 || expected < 2 || waiting.length >= expected) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      onArrival = () => {
        if (waiting.length < expected) return
        clearTimeout(timer)
        resolve()
      }
    })
    onArrival = undefined
  }

  /** Rolls back the failed transaction. Returns the error, even if the rollback fails too. */
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
    const refusal = cause instanceof Unavailable ? cause : new Unavailable(undefined, { cause, reason: reasonOf(cause) })
    for (const unit of units) unit.reject(refusal)
  }

  const work = async (): Promise<void> => {
    try {
      await beginImmediate(connection)
      // Collected after the lock was taken, so that units that arrived while waiting for it join the group.
      const group = waiting.splice(0, LARGEST_GROUP)
      const flushed = await runGroup(group)
      await disk.tend()
      await waitForCompany(flushed)
    } catch (error) {
      // Rejects all waiting units, because each would have to wait for the lock just as long.
      refuse(waiting.splice(0), error)
    }
    // Starts the next group in a later turn, so that other work of this process and other processes can proceed.
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
      // A group runs in the context of its first caller, but an observer may need the context of each.
      const inContext = observer?.inContext === true ? AsyncLocalStorage.bind(run) : run
      waiting.push({ needsSavepoint, run: () => inContext(db), resolve: resolve as Unit['resolve'], reject })
      if (isBusy) onArrival?.()
      else schedule()
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
