import type { DataSnapshot } from './snapshot.ts'

/** A table that was copied, and compared row by row. */
export interface MovedTable {
  readonly name: string
  readonly rows: number
}

/** The progress of a data move: the rows of a table that the current phase has finished, out of `total`. */
export interface DataMoveProgress {
  /**
   * `recheck` compares rows that an interrupted move has already copied. `copy` copies rows. `verify` compares both databases.
   * `complete` creates the indexes; its progress is reported when the phase begins.
   */
  readonly phase: 'recheck' | 'copy' | 'verify' | 'complete'
  readonly table: string
  readonly rows: number
  readonly total: number
}

/** Options of `MigratedStorage.takeOver`. */
export interface DataMoveOptions {
  readonly onProgress?: (progress: DataMoveProgress) => void
}

/** A database that can be copied. */
export interface DataSource {
  /**
   * Runs `work` on a consistent snapshot of the database. Other clients read and write at the same time: nothing is locked.
   * Statements in the snapshot have no time-out.
   *
   * @throws DataMoveUnfinished if the database is the target of an unfinished move
   */
  snapshot<T>(work: (snapshot: DataSnapshot) => Promise<T>): Promise<T>
}
