import { SingleBar } from 'cli-progress'

/** The stream that shows progress, usually standard error. */
export type ProgressStream = NodeJS.WritableStream & { readonly isTTY?: boolean }

/** A bar followed by facts, such as a number of lines. */
export type ProgressBar = Pick<SingleBar, 'update' | 'setTotal' | 'stop'>

/**
 * Shows a bar on a terminal until it is stopped. Shows nothing elsewhere, and nothing if the total is not known, which is 0.
 *
 * @param caption The text after the percentage; `{name}` is replaced by the fact of that name.
 * @param facts The facts at the start.
 */
export const showBar = (total: number, stream: ProgressStream, caption: string, facts: object = {}): ProgressBar => {
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
