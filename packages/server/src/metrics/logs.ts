import { type Logger, refusalReasons } from '@countersign/core'
import { Counter, type Registry } from 'prom-client'
import type { Monitor } from '../shared/monitor.ts'
import { boundedLabel } from './bounded-label.ts'

/**
 * Events that are counted from the start. A counter that appears with its first event has no increase that an alert could see.
 */
const counted = {
  warn: [
    'account_locked',
    'device_login_refused',
    'forwarded_for_ignored',
    'passkey_refused',
    'push_failed',
    'redis_away',
    'refresh_token_reused',
    'request_unavailable',
    'slow_statement',
    'sweep_failed',
  ],
  error: ['background_failed', 'check_failed', 'request_failed', 'response_failed', 'token_too_long'],
} as const

/** Counts warnings and errors of the log by event, so that an alert needs no reader of log lines. */
export const logMetrics = (register: Registry): Monitor['countingLogger'] => {
  const events = new Counter({
    name: 'countersign_log_events_total',
    help: 'Warnings and errors in the log, by event.',
    labelNames: ['level', 'event'],
    registers: [register],
  })
  for (const [level, names] of Object.entries(counted)) for (const event of names) events.inc({ level, event }, 0)
  const label = boundedLabel()
  const countRefusal = refusalCounter(register)
  return (logger): Logger => ({
    debug: (event, fields) => logger.debug(event, fields),
    info: (event, fields) => {
      countRefusal(event, fields)
      logger.info(event, fields)
    },
    warn: (event, fields) => {
      countRefusal(event, fields)
      events.inc({ level: 'warn', event: label(event) })
      logger.warn(event, fields)
    },
    error: (event, fields) => {
      events.inc({ level: 'error', event: label(event) })
      logger.error(event, fields)
    },
  })
}

/** Counts the lines about refused credentials by their reason. */
const refusalCounter = (register: Registry) => {
  const refusals = new Counter({
    name: 'countersign_refusals_total',
    help: 'Refused passkeys, device logins and refresh tokens, by event of the log and reason.',
    labelNames: ['event', 'reason'],
    registers: [register],
  })
  const reasonsOf: Readonly<Record<string, readonly string[]>> = refusalReasons
  for (const [event, reasons] of Object.entries(reasonsOf)) for (const reason of reasons) refusals.inc({ event, reason }, 0)
  return (event: string, fields?: Readonly<Record<string, unknown>>): void => {
    const reason = reasonsOf[event]?.find((one) => one === fields?.reason)
    if (reason !== undefined) refusals.inc({ event, reason })
  }
}
