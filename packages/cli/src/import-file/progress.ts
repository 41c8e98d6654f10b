import { SingleBar } from 'cli-progress'

/** Told how far an import is. */
export interface Progress {
  /** @param bytes Of the file, read so far. */
  bytes(bytes: number): void
  /** @param lines Laid aside so far. */
  lines(lines: number): void
  stop(): void
}

/** Where progress is shown: standard error, as a rule. */
export type ProgressStream = NodeJS.WritableStream & { readonly isTTY?: boolean }

const noProgress: Progress = { bytes: () => {}, lines: () => {}, stop: () => {} }

/** A bar on a terminal, gone when stopped; nothing elsewhere. @param size Of the file, in bytes. */
export const showProgress = (size: number, stream: ProgressStream): Progress => {
  if (stream.isTTY !== true || size === 0) return noProgress
  const bar = new SingleBar({
    stream,
    format: '{bar} {percentage}% | {lines} lines',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    clearOnComplete: true,
  })
  bar.start(size, 0, { lines: 0 })
  return {
    bytes: (bytes) => bar.update(bytes),
    lines: (lines) => bar.update({ lines }),
    stop: () => bar.stop(),
  }
}
