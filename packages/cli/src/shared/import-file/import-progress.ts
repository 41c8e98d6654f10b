import { type ProgressStream, showBar } from '../progress-bar.ts'

/** Receives the progress of an import. */
export interface Progress {
  /** @param bytes The bytes of the file read so far. */
  bytes(bytes: number): void
  /** @param lines The lines whose result is known so far. */
  lines(lines: number): void
  stop(): void
}

const noProgress: Progress = { bytes: () => {}, lines: () => {}, stop: () => {} }

/**
 * Shows a progress bar over the bytes of a file; nothing if the size is unknown.
 *
 * @param size The size of the file in bytes.
 */
export const showProgress = (size: number, stream: ProgressStream): Progress => {
  if (size === 0) return noProgress
  const bar = showBar(size, stream, '{lines} lines', { lines: 0 })
  return { bytes: (bytes) => bar.update(bytes), lines: (lines) => bar.tell({ lines }), stop: bar.stop }
}
