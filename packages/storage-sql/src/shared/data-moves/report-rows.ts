import type { DataMoveProgress, DataSnapshot, StoredTable } from '@countersign/core/types'

type OnProgress = (progress: DataMoveProgress) => void

/** Reports that a number of further rows of a table is done. */
export type ReportRows = (table: StoredTable, rows: number) => void

/** Counts the rows of one phase, and reports the progress. */
export const reportPhase = (phase: DataMoveProgress['phase'], total: number, onProgress: OnProgress): ReportRows => {
  let rows = 0
  return ({ name: table }, more) => {
    rows += more
    onProgress({ phase, table, rows, total })
  }
}

export const countAllRows = async (snapshot: DataSnapshot, tables: readonly StoredTable[]): Promise<number> => {
  let rows = 0
  for (const table of tables) rows += await snapshot.countRows(table)
  return rows
}
