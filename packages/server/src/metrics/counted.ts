import { actionTypes, errorDescriptions, operations } from '@countersign/contract'
import { confirmationOutcomes, type Logger, PushTokenGone, pushMessageTypes, refusalReasons } from '@countersign/core'
import { Counter, Histogram, type Registry } from 'prom-client'
import type { Monitor } from '../shared/monitor.ts'

/** The greatest number of different values of a label. Each value is a time series that Prometheus keeps. */
const MOST_VALUES = 100

/** Returns a function that gives the known texts and the first `most` others as they are, and `other` for any further text. */
export const boundedLabel = (known: readonly string[] = [], most = MOST_VALUES): ((text: string) => string) => {
  const seen = new Set(known)
  return (text) => {
    if (seen.has(text)) return text
    if (seen.size >= most) return 'other'
    seen.add(text)
    return text
  }
}

/** Seconds. The quickest operations take a fraction of a millisecond; no request waits longer than some seconds for a database. */
const REQUEST_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The codes of 429 that any operation can have. */
const limitCodes = Object.entries(errorDescriptions).flatMap(([code, { status }]) => (status === 429 ? [code] : []))

/** Counts requests by operation and status, and measures how long they take. */
export const requestMetrics = (register: Registry): Monitor['request'] => {
  const registers = [register]
  const requests = new Counter({
    name: 'countersign_requests_total',
    help: 'Answered requests, by operation of the contract and by status.',
    labelNames: ['operation', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'countersign_request_duration_seconds',
    help: 'The time from the headers of a request to its response, by operation. A request that waits for a decision waits by design.',
    labelNames: ['operation'],
    buckets: REQUEST_BUCKETS,
    registers,
  })
  const refused = new Counter({
    name: 'countersign_limits_refused_total',
    help: 'Requests that a limit refused with 429, by operation and by the code of the refusal.',
    labelNames: ['operation', 'code'],
    registers,
  })
  const unavailable = new Counter({
    name: 'countersign_unavailable_total',
    help: 'Requests that were refused with 503, by operation, by the code of the refusal and by its cause.',
    labelNames: ['operation', 'code', 'reason'],
    registers,
  })

  // Created before the first event: an alert sees only the increase of a counter that exists already.
  for (const operation of Object.keys(operations)) {
    for (const status of [401, 429, 500, 503]) requests.inc({ operation, status }, 0)
    for (const code of limitCodes) refused.inc({ operation, code }, 0)
  }

  return ({ operation, status, milliseconds, code = 'none', reason }) => {
    requests.inc({ operation, status })
    durations.observe({ operation }, milliseconds / 1000)
    if (status === 429) refused.inc({ operation, code })
    // A 503 of `/health` is a report about the server, and no refusal, so it has no reason.
    if (reason !== undefined) unavailable.inc({ operation, code, reason })
  }
}

/** Seconds: from a confirmation on the phone in one's hand to an approval request that waits for days. */
const DECISION_BUCKETS = [2, 5, 10, 20, 30, 60, 120, 300, 900, 3600, 14_400, 86_400]

/**
 * Counts the steps of confirmations, and measures how long users take to decide. Registered types have labels up to a bound. All
 * outcomes of a type exist from its first step, because an alert sees no increase of a new counter.
 */
export const confirmationMetrics = (register: Registry): Monitor['confirmation'] => {
  const steps = new Counter({
    name: 'countersign_confirmations_total',
    help: 'Steps of confirmations, by action type and outcome: initiated, approved, rejected, withdrawn, stopped, wrong_signature, wrong_number, consumed.',
    labelNames: ['action_type', 'outcome'],
    registers: [register],
  })
  const times = new Histogram({
    name: 'countersign_confirmation_decision_seconds',
    help: 'The time from the request of a confirmation to the approval or rejection by the user, by outcome.',
    labelNames: ['outcome'],
    buckets: DECISION_BUCKETS,
    registers: [register],
  })
  const label = boundedLabel(actionTypes)
  const begun = new Set<string>()
  const begin = (type: string): void => {
    if (begun.has(type)) return
    begun.add(type)
    for (const outcome of confirmationOutcomes) steps.inc({ action_type: type, outcome }, 0)
  }
  for (const type of [...actionTypes, 'other']) begin(type)
  return ({ actionType, outcome, decidedAfter }) => {
    const type = label(actionType)
    begin(type)
    steps.inc({ action_type: type, outcome })
    if (decidedAfter !== undefined) times.observe({ outcome }, decidedAfter / 1000)
  }
}

/** Counts push messages by provider, type and whether they arrived. A token that is gone is no failure of the provider. */
export const pushMetrics = (register: Registry): Monitor['countingPush'] => {
  const deliveries = new Counter({
    name: 'countersign_push_deliveries_total',
    help: 'Push messages, by provider, type and outcome (delivered, gone, failed). A message that is sent again counts once.',
    labelNames: ['provider', 'type', 'outcome'],
    registers: [register],
  })
  return (push, provider) => {
    // Created before the first event: an alert sees only the increase of a counter that exists already.
    for (const type of pushMessageTypes) {
      for (const outcome of ['delivered', 'gone', 'failed']) deliveries.inc({ provider, type, outcome }, 0)
    }
    return {
      ...(push.faultOf && { faultOf: push.faultOf.bind(push) }),
      send: async (message) => {
        const { type } = message
        try {
          await push.send(message)
          deliveries.inc({ provider, type, outcome: 'delivered' })
        } catch (error) {
          deliveries.inc({ provider, type, outcome: error instanceof PushTokenGone ? 'gone' : 'failed' })
          throw error
        }
      },
      health: () => push.health(),
    }
  }
}

/** Events whose counters exist from the start: an alert sees only the increase of a counter that exists already. */
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
    help: 'Refused logins, passkeys, refresh tokens, one-time codes, registrations and services, by event of the log and reason.',
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
