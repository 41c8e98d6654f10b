import type { Logger } from '@countersign/core'
import { type DestinationStream, pino } from 'pino'
import { errorName } from '../http/describe-error.ts'
import { type LogDestination, openStandardOutput } from './log-destination.ts'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
/** The least that is logged, from everything to nothing. */
export type LogLevel = (typeof logLevels)[number]

export const isLogLevel = (text: string): text is LogLevel => logLevels.some((level) => level === text)

/** Names of fields that nobody logs on purpose. */
const SECRET = /password|secret|authorization|cookie|credential|token$|jwt|signature|signed|challenge$|nonce|payload|private/i
const LONGEST_TEXT = 1024
const DEEPEST = 6

/**
 * The safety net below whatever is logged: fields with a secret's name are blanked, long texts cut, and errors lose the
 * message, which holds what a library was given.
 */
const tidy = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Error) return errorName(value)
  if (depth >= DEEPEST) return '[deep]'
  if (Array.isArray(value)) return value.map((item) => tidy(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, SECRET.test(name) ? '[redacted]' : tidy(member, depth + 1)]),
  )
}

const timestamp = (): string => new Date().toISOString()

const lostLine = (lines: number): string =>
  `${JSON.stringify({ level: 'warn', time: timestamp(), event: 'log_lines_lost', lines })}\n`

/** One for the process, however many log to it. */
let opened: LogDestination | undefined
const standardOutput = (): LogDestination => {
  opened ??= openStandardOutput(lostLine)
  return opened
}

/**
 * Logs structured lines: one JSON object each, with `level`, `time`, `event` and the event's fields.
 *
 * @param destination Standard output where left out; written without blocking, flushed when the process ends, and no trouble to
 *   the process where it cannot be written.
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
        log: (fields) => tidy(fields) as Record<string, unknown>,
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
