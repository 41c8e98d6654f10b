import type { Logger } from '@countersign/core'
import { type DestinationStream, pino } from 'pino'
import { errorName } from './error-fields.ts'
import { type LogDestination, openStandardOutput } from './log-destination.ts'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
/** The lowest level of the lines that are logged. `silent` logs nothing. */
export type LogLevel = (typeof logLevels)[number]

/** Matches the names of fields that may contain a secret. No code logs such a field on purpose. */
const SECRET = /password|secret|authorization|cookie|credential|token$|jwt|signature|signed|challenge$|nonce|payload|private/i
const MAX_TEXT_LENGTH = 1024
const MAX_DEPTH = 6

/** Returns a value as it may be logged. An error becomes its name, because its message may repeat input. */
const redact = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return value.length > MAX_TEXT_LENGTH ? `${value.slice(0, MAX_TEXT_LENGTH)}…` : value
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Error) return errorName(value)
  if (depth >= MAX_DEPTH) return '[deep]'
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, SECRET.test(name) ? '[redacted]' : redact(member, depth + 1)]),
  )
}

const timestamp = (): string => new Date().toISOString()

const lostLine = (lines: number): string =>
  `${JSON.stringify({ level: 'warn', time: timestamp(), event: 'log_lines_lost', lines })}\n`

/** The destination that all loggers of the process share. */
let sharedOutput: LogDestination | undefined
const standardOutput = (): LogDestination => {
  sharedOutput ??= openStandardOutput(lostLine)
  return sharedOutput
}

/**
 * Creates a logger that writes one JSON object a line: `level`, `time`, `event` and the fields of the event. By default to standard
 * output, which is flushed at the exit; the process continues if it cannot be written.
 */
export const createLogger = (level: LogLevel, destination?: DestinationStream): Logger => {
  const lines = pino(
    {
      level,
      base: null,
      messageKey: 'event',
      timestamp: () => `,"time":"${timestamp()}"`,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redact(fields) as Record<string, unknown>,
      },
    },
    destination ?? standardOutput(),
  )
  return {
    debug: (event, fields = {}) => lines.debug(fields, event),
    info: (event, fields = {}) => lines.info(fields, event),
    warn: (event, fields = {}) => lines.warn(fields, event),
    error: (event, fields = {}) => lines.error(fields, event),
  }
}
