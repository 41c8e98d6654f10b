import type { DataMoveProgress, DataSnapshot, StoredTable } from '@countersign/core/storage'

type OnProgress = (progress: DataMoveProgress) => void

/** Reports that a number of further rows of a table is done. */
export type ReportRows = (table: StoredTable, rows: number) => void

/** Counts the rows of one phase, and reports the progress. @param done The rows that were done before. */
export const reportPhase = (
  phase: DataMoveProgress['phase'],
  total: number,
  onProgress: OnProgress = () => {},
  done = 0,
): ReportRows => {
  let rows = done
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
