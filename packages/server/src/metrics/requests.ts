import { errorDescriptions, operations } from '@countersign/contract'
import { Counter, Histogram, type Registry } from 'prom-client'
import type { Monitor } from '../shared/monitor.ts'

/** Seconds. The quickest operations take a fraction of a millisecond; no request waits longer than some seconds for a database. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

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
    buckets: BUCKETS,
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

  // A counter that appears with its first event has no increase that an alert could see.
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
