import type { Logger } from '../shared/logger.ts'

export interface LogEntry {
  readonly level: keyof Logger
  readonly event: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** A logger that keeps its entries in order. */
export interface RecordingLogger extends Logger {
  readonly entries: readonly LogEntry[]
}

export const recordingLogger = (): RecordingLogger => {
  const entries: LogEntry[] = []
  const keep =
    (level: keyof Logger) =>
    (event: string, fields: Readonly<Record<string, unknown>> = {}) => {
      entries.push({ level, event, fields })
    }
  return { entries, debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') }
}
