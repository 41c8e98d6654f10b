import { SingleBar } from 'cli-progress'

/** Where progress is shown: standard error, as a rule. */
export type ProgressStream = NodeJS.WritableStream & { readonly isTTY?: boolean }

/** Facts that stand beside the bar. */
type Facts = Readonly<Record<string, string | number>>

export interface ProgressBar {
  /** @param done Of the total. */
  update(done: number, facts?: Facts): void
  tell(facts: Facts): void
  total(total: number): void
  stop(): void
}

const noBar: ProgressBar = { update: () => {}, tell: () => {}, total: () => {}, stop: () => {} }

/**
 * A bar on a terminal, gone when stopped; nothing elsewhere.
 *
 * @param beside What stands behind the percentage; `{name}` for the fact of that name. @param facts As they are at first.
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
