import type { LaneLoad, ServiceToken } from '@countersign/core'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { ExpiredApprovals, Monitor, MonitoredState } from '../shared/monitor.ts'
import { boundedLabel } from './counted.ts'

const labels = { database: 'database', cache: 'cache', pushProvider: 'push_provider' } as const

/**
 * Reports what `/health` reports, and how far the clocks of server and database differ. What is not configured or not measured has
 * no value.
 */
export const healthMetrics = (register: Registry, stateNow: () => MonitoredState | undefined): void => {
  new Gauge({
    name: 'countersign_healthy',
    help: 'Whether the database, the cache and the push provider are healthy (1) or not (0).',
    labelNames: ['service'],
    registers: [register],
    collect: async function () {
      const health = await stateNow()?.health()
      this.reset()
      if (health === undefined) return
      for (const [name, service] of Object.entries(labels)) {
        const status = health.services[name as keyof typeof labels]
        if (status !== 'not_configured') this.set({ service }, status === 'healthy' ? 1 : 0)
      }
    },
  })
  new Gauge({
    name: 'countersign_ready',
    help: 'Whether the database takes writes (1) or not (0), as /health/ready reports.',
    registers: [register],
    collect: async function () {
      const readiness = await stateNow()?.readiness()
      if (readiness === undefined) this.remove()
      else this.set(readiness.status === 'ready' ? 1 : 0)
    },
  })
  new Gauge({
    name: 'countersign_clock_offset_seconds',
    help: 'Seconds by which the clock of the database is ahead of that of this machine. No value on SQLite, which shares the clock.',
    registers: [register],
    collect: async function () {
      const offset = (await stateNow()?.health())?.clockOffsetMs ?? null
      if (offset === null) this.remove()
      else this.set(offset / 1000)
    },
  })
}

const gauges: readonly { readonly name: string; readonly help: string; readonly value: (load: LaneLoad) => number }[] = [
  {
    name: 'countersign_password_hashes_running',
    help: 'Passwords that are being hashed.',
    value: ({ running }) => running,
  },
  {
    name: 'countersign_password_hashes_waiting',
    help: 'Passwords that wait to be hashed.',
    value: ({ waiting }) => waiting,
  },
  {
    name: 'countersign_password_hash_wait_seconds',
    help: 'The estimated time that the next password waits to be hashed.',
    value: ({ waitMs }) => waitMs / 1000,
  },
  {
    name: 'countersign_password_hash_wait_max_seconds',
    help: 'The longest time that a password may wait. Further logins are refused with 503.',
    value: ({ longestWaitMs }) => longestWaitMs / 1000,
  },
]

/** Measures the two queues of password hashes: `own` and `foreign`. The hasher of a host might not report its load. */
export const passwordMetrics = (register: Registry, stateNow: () => MonitoredState | undefined): void => {
  for (const { name, help, value } of gauges) {
    new Gauge({
      name,
      help,
      labelNames: ['lane'],
      registers: [register],
      collect: function () {
        for (const load of stateNow()?.passwords() ?? []) this.set({ lane: load.lane }, value(load))
      },
    })
  }
}

/** Milliseconds. These figures change slowly, so a scrape need not ask the database each time. */
const READ_EVERY = 60_000

/** Returns when the last usable token of each service expires. A service that has a newer token does not need its older one. */
const lastExpiries = (tokens: readonly ServiceToken[]): ReadonlyMap<string, number> => {
  const last = new Map<string, number>()
  for (const { service, expiresAt, revokedAt } of tokens) {
    if (revokedAt === null) last.set(service, Math.max(expiresAt, last.get(service) ?? 0))
  }
  return last
}

/** Reports for how many seconds each service can still authenticate. A token that expired is 0 or less until it is deleted. */
export const serviceTokenMetrics = (register: Registry, stateNow: () => MonitoredState | undefined): void => {
  const label = boundedLabel()
  let read: { readonly at: number; readonly expiries: ReadonlyMap<string, number> } | undefined
  new Gauge({
    name: 'countersign_service_token_expires_seconds',
    help: 'Seconds until the last token of a service expires, by service. Revoked tokens do not count.',
    labelNames: ['service'],
    registers: [register],
    collect: async function () {
      const state = stateNow()
      if (state === undefined) return
      const now = Date.now()
      if (read === undefined || Math.abs(now - read.at) >= READ_EVERY) {
        // An unavailable database is reported by other metrics; the scrape must not fail.
        const tokens = await state.serviceTokens().catch(() => undefined)
        if (tokens !== undefined) read = { at: now, expiries: lastExpiries(tokens) }
      }
      this.reset()
      for (const [service, expiresAt] of read?.expiries ?? []) this.set({ service: label(service) }, (expiresAt - now) / 1000)
    },
  })
}

/** Reports how many approvals expired in the last hour. No server counts them as steps, because the clock makes them expire. */
export const expiryMetrics = (register: Registry, stateNow: () => MonitoredState | undefined): void => {
  let read: { readonly at: number; readonly expired: ExpiredApprovals } | undefined
  new Gauge({
    name: 'countersign_approvals_expired',
    help: 'Confirmations that nobody decided, and approval requests that nobody redeemed, which expired in the last hour, by kind.',
    labelNames: ['kind'],
    registers: [register],
    collect: async function () {
      const now = Date.now()
      if (read === undefined || Math.abs(now - read.at) >= READ_EVERY) {
        // An unavailable database is reported by other metrics; the scrape must not fail.
        const expired = await stateNow()
          ?.expiredApprovals()
          .catch(() => undefined)
        if (expired !== undefined) read = { at: now, expired }
      }
      for (const [kind, count] of Object.entries<number>({ ...read?.expired })) this.set({ kind }, count)
    },
  })
}

/** Seconds. A statement on SQLite takes some microseconds; PostgreSQL stops a statement after 3.5 seconds. */
const STATEMENT_BUCKETS = [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Measures statements, the use of the connections, the listening connection and the session cache. */
export const databaseMetrics = (register: Registry, stateNow: () => MonitoredState | undefined): Monitor['statement'] => {
  const registers = [register]

  for (const [name, help, member] of [
    ['countersign_database_connections_in_use', 'Connections of the pool that a caller has. Only on PostgreSQL.', 'inUse'],
    ['countersign_database_connections_max', 'The most connections of the pool. 0 on SQLite, which has no pool.', 'most'],
    ['countersign_database_connection_waiters', 'Callers that wait for a connection of the pool. Only on PostgreSQL.', 'waiting'],
  ] as const) {
    new Gauge({
      name,
      help,
      registers,
      collect: function () {
        this.set(stateNow()?.storage().connections?.[member] ?? 0)
      },
    })
  }
  new Gauge({
    name: 'countersign_database_listening',
    help: 'Whether changes by other processes arrive (1). While they do not (0), every request asks the database. 1 on SQLite.',
    registers,
    collect: function () {
      this.set(stateNow()?.storage().listening === false ? 0 : 1)
    },
  })
  new Counter({
    name: 'countersign_session_cache_lookups_total',
    help: 'Look-ups of sessions and service tokens: known to the cache (hit), or asked of the database (miss).',
    labelNames: ['result'],
    registers,
    collect: function () {
      const { hits = 0, misses = 0 } = stateNow()?.storage().sessionCache ?? {}
      this.reset()
      this.inc({ result: 'hit' }, hits)
      this.inc({ result: 'miss' }, misses)
    },
  })
  const failures = new Counter({
    name: 'countersign_statement_failures_total',
    help: 'Statements that the database refused or did not answer.',
    registers,
  })
  const durations = new Histogram({
    name: 'countersign_statement_duration_seconds',
    help: 'The time of statements and commits on the database, without the wait for a connection.',
    buckets: STATEMENT_BUCKETS,
    registers,
  })
  return ({ milliseconds, error }) => {
    durations.observe(milliseconds / 1000)
    if (error !== undefined) failures.inc()
  }
}
