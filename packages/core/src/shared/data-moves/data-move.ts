import type { DataSnapshot } from './snapshot.ts'

/** A table that stands in both databases, and was found to be the same in both. */
export interface MovedTable {
  readonly name: string
  readonly rows: number
}

/** How far a move is: of all rows, those that this phase is done with. */
export interface DataMoveProgress {
  /**
   * `recheck` looks at what an earlier move that was broken off has copied; `verify` compares both databases; `complete`
   * makes the indexes, and tells when it begins.
   */
  readonly phase: 'recheck' | 'copy' | 'verify' | 'complete'
  readonly table: string
  readonly rows: number
  readonly total: number
}

/** What `MigratedStorage.takeOver` can be told. */
export interface DataMoveOptions {
  readonly onProgress?: (progress: DataMoveProgress) => void
}

/** A database that can be copied. */
export interface DataSource {
  /**
   * Runs `work` on everything that the database holds, as of one moment. Others read and write meanwhile; nothing is
   * locked, and no statement has a time-out.
   *
   * @throws DataMoveUnfinished where the database itself is being filled
   */
  snapshot<T>(work: (snapshot: DataSnapshot) => Promise<T>): Promise<T>
}
