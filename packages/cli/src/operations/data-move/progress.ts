import type { DataMoveProgress } from '@countersign/core/storage'
import { type ProgressStream, showBar } from '../../shared/progress-bar.ts'

export interface MoveProgress {
  report(progress: DataMoveProgress): void
  stop(): void
}

const doing = {
  copy: 'copying',
  verify: 'comparing',
  complete: 'making the indexes',
} as const satisfies Record<DataMoveProgress['phase'], string>

/** Shows a progress bar over rows, which starts again for each phase of the move. */
export const showMoveProgress = (stream: ProgressStream): MoveProgress => {
  const bar = showBar(1, stream, '{doing} {table}', { doing: 'beginning', table: '' })
  return {
    report: ({ phase, table, rows, total }) => {
      bar.total(total)
      bar.update(rows, { doing: doing[phase], table })
    },
    stop: bar.stop,
  }
}
