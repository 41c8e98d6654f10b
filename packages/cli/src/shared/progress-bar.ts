import { SingleBar } from 'cli-progress'

/** The stream that shows progress, usually standard error. */
export type ProgressStream = NodeJS.WritableStream & { readonly isTTY?: boolean }

/** Values shown beside the bar. */
type Facts = Readonly<Record<string, string | number>>

export interface ProgressBar {
  /** @param done How much of the total is done. */
  update(done: number, facts?: Facts): void
  tell(facts: Facts): void
  total(total: number): void
  stop(): void
}

const noBar: ProgressBar = { update: () => {}, tell: () => {}, total: () => {}, stop: () => {} }

/**
 * Shows a bar on a terminal until it is stopped. Shows nothing elsewhere.
 *
 * @param beside The text after the percentage; `{name}` stands for the fact of that name.
 * @param facts The facts at the start.
 */
export const showBar = (total: number, stream: ProgressStream, beside: string, facts: Facts): ProgressBar => {
  if (stream.isTTY !== true) return noBar
  const bar = new SingleBar({
    stream,
    format: `{bar} {percentage}% | ${beside}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    clearOnComplete: true,
  })
  bar.start(total, 0, facts)
  return {
    update: (done, more) => (more === undefined ? bar.update(done) : bar.update(done, more)),
    tell: (more) => bar.update(more),
    total: (all) => bar.setTotal(all),
    stop: () => bar.stop(),
  }
}
