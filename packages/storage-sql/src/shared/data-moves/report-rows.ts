import type { DataMoveProgress, DataSnapshot, StoredTable } from '@countersign/core/storage'

type OnProgress = (progress: DataMoveProgress) => void

/** Tells that so many more rows of a table are done. */
export type ReportRows = (table: StoredTable, rows: number) => void

/** Adds up what one phase of a move has done. @param done Rows that were done before. */
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
