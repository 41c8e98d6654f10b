import { type ProgressStream, showBar } from '../../shared/progress-bar.ts'

/** Told how far an import is. */
export interface Progress {
  /** @param bytes Of the file, read so far. */
  bytes(bytes: number): void
  /** @param lines Laid aside so far. */
  lines(lines: number): void
  stop(): void
}

const noProgress: Progress = { bytes: () => {}, lines: () => {}, stop: () => {} }

/** A bar of the file's bytes; none where their number is not known. @param size Of the file, in bytes. */
export const showProgress = (size: number, stream: ProgressStream): Progress => {
  if (size === 0) return noProgress
  const bar = showBar(size, stream, '{lines} lines', { lines: 0 })
  return { bytes: (bytes) => bar.update(bytes), lines: (lines) => bar.tell({ lines }), stop: bar.stop }
}
