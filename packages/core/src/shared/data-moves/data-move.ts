import type { DataSnapshot } from './snapshot.ts'

/** A table that was copied and compared. */
export interface MovedTable {
  readonly name: string
  readonly rows: number
}

/** The progress of a data move: the rows of a table that the current phase has finished, out of `total`. */
export interface DataMoveProgress {
  /** `copy` copies rows, `verify` compares both databases, `complete` creates the indexes and is reported as it begins. */
  readonly phase: 'copy' | 'verify' | 'complete'
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
  /** Runs `work` on a consistent snapshot of the database. Locks nothing, and its statements have no time-out. */
  snapshot<T>(work: (snapshot: DataSnapshot) => Promise<T>): Promise<T>
}
