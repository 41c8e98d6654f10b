import { SingleBar } from 'cli-progress'
import type { OutputStream } from './command-context.ts'

/** A bar followed by facts, such as a number of lines. */
export type ProgressBar = Pick<SingleBar, 'update' | 'setTotal' | 'stop'>

/** Shows a bar on a terminal until it is stopped, if the total is known. `{name}` in the caption is the fact of that name. */
export const showBar = (total: number, stream: OutputStream, caption: string, facts: object = {}): ProgressBar => {
  const bar = new SingleBar({
    stream,
    format: `{bar} {percentage}% | ${caption}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    clearOnComplete: true,
  })
  if (total > 0) bar.start(total, 0, facts)
  return bar
}
