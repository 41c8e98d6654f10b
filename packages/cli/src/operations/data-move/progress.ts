import type { DataMoveProgress } from '@countersign/core/types'
import { type ProgressStream, showBar } from '../../shared/progress-bar.ts'

const doing = {
  copy: 'copying',
  verify: 'comparing',
  complete: 'making the indexes',
} as const satisfies Record<DataMoveProgress['phase'], string>

/** Shows a progress bar over rows, which starts again for each phase of the move. */
export const showMoveProgress = (stream: ProgressStream) => {
  const bar = showBar(1, stream, '{doing} {table}', { doing: 'beginning', table: '' })
  return {
    report: ({ phase, table, rows, total }: DataMoveProgress): void => {
      bar.total(total)
      bar.update(rows, { doing: doing[phase], table })
    },
    stop: bar.stop,
  }
}
