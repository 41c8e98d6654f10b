import type { LaneLoad, ServiceToken } from '@countersign/core'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Monitor, MonitoredState } from '../shared/monitor.ts'
import { boundedLabel } from './counted.ts'

/** One value, a value for each value of the label, or undefined for what is not configured or not measured. */
type Reading = number | undefined | readonly (readonly [label: string, value: number])[]

/** A gauge that reads the state of the server at each scrape. */
interface StateGauge {
  readonly name: string
  readonly help: string
  readonly label?: string
  readonly read: (state: MonitoredState | undefined) => Reading | Promise<Reading>
}

type StateNow = () => MonitoredState | undefined

const addGauges = (register: Registry, stateNow: StateNow, gauges: readonly StateGauge[]): void => {
  for (const { name, help, label, read } of gauges) {
    new Gauge({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: [register],
      collect: async function () {
        const reading = await read(stateNow())
        if (typeof reading === 'number') return this.set(reading)
        if (label === undefined) return this.remove()
        this.reset()
        for (const [value, number] of reading ?? []) this.set({ [label]: value }, number)
      },
    })
  }
}

/** Milliseconds. These figures change slowly, so a scrape need not ask the database each time. */
const READ_EVERY = 60_000

const readSlowly = <Value>(ask: (state: MonitoredState) => Promise<Value>) => {
  let read: { readonly at: number; readonly value: Value } | undefined
  return async (state: MonitoredState | undefined): Promise<Value | undefined> => {
    const now = Date.now()
    if (state !== undefined && (read === undefined || Math.abs(now - read.at) >= READ_EVERY)) {
      // An unavailable database is reported by other metrics; the scrape must not fail.
      const value = await ask(state).catch(() => undefined)
      if (value !== undefined) read = { at: now, value }
    }
    return read?.value
  }
}

const passwordGauge = (name: string, help: string, value: (load: LaneLoad) => number): StateGauge => ({
  name: `countersign_password_${name}`,
  help,
  label: 'lane',
  // The hasher of a host might not report its load.
  read: (state) => state?.passwords()?.map((load) => [load.lane, value(load)] as const),
})

/** Returns when the last usable token of each service expires. A service that has a newer token does not need its older one. */
const lastExpiries = (tokens: readonly ServiceToken[]): ReadonlyMap<string, number> => {
  const last = new Map<string, number>()
  for (const { service, expiresAt, revokedAt } of tokens) {
    if (revokedAt === null) last.set(service, Math.max(expiresAt, last.get(service) ?? 0))
  }
  return last
}

const services = { database: 'database', cache: 'cache', pushProvider: 'push_provider' } as const

/** Reports health, the clocks, the queues of passwords, when services lose their access, and how many approvals expired. */
export const stateMetrics = (register: Registry, stateNow: StateNow): void => {
  const serviceLabel = boundedLabel()
  const tokens = readSlowly((state) => state.serviceTokens())
  const expired = readSlowly((state) => state.expiredApprovals())

  addGauges(register, stateNow, [
    {
      name: 'countersign_healthy',
      help: 'Whether the database, the cache and the push provider are healthy (1) or not (0).',
      label: 'service',
      read: async (state) => {
        const health = await state?.health()
        if (health === undefined) return undefined
        return Object.entries(services).flatMap(([name, label]) => {
          const status = health.services[name as keyof typeof services]
          return status === 'not_configured' ? [] : [[label, status === 'healthy' ? 1 : 0] as const]
        })
      },
    },
    {
      name: 'countersign_ready',
      help: 'Whether the database takes writes (1) or not (0), as /health/ready reports.',
      read: async (state) => {
        const readiness = await state?.readiness()
        return readiness && Number(readiness.status === 'ready')
      },
    },
    {
      name: 'countersign_clock_offset_seconds',
      help: 'Seconds by which the clock of the database is ahead of that of this machine. No value on SQLite, which shares the clock.',
      read: async (state) => {
        const offset = (await state?.health())?.clockOffsetMs ?? undefined
        return offset && offset / 1000
      },
    },
    passwordGauge('hashes_running', 'Passwords that are being hashed.', ({ running }) => running),
    passwordGauge('hashes_waiting', 'Passwords that wait to be hashed.', ({ waiting }) => waiting),
    passwordGauge(
      'hash_wait_seconds',
      'The estimated time that the next password waits to be hashed.',
      ({ waitMs }) => waitMs / 1000,
    ),
    passwordGauge(
      'hash_wait_max_seconds',
      'The longest time that a password may wait. Further logins are refused with 503.',
      ({ longestWaitMs }) => longestWaitMs / 1000,
    ),
    {
      name: 'countersign_service_token_expires_seconds',
      help: 'Seconds until the last token of a service expires, by service. Revoked tokens do not count.',
      label: 'service',
      // A token that expired is 0 or less until it is deleted.
      read: async (state) =>
        [...lastExpiries((await tokens(state)) ?? [])].map(
          ([service, expiresAt]) => [serviceLabel(service), (expiresAt - Date.now()) / 1000] as const,
        ),
    },
    {
      name: 'countersign_approvals_expired',
      help: 'Confirmations that nobody decided, and approval requests that nobody redeemed, which expired in the last hour, by kind.',
      label: 'kind',
      // No server counts them as steps, because the clock makes them expire.
      read: async (state) => Object.entries<number>({ ...(await expired(state)) }),
    },
  ])
}

const connectionGauge = (name: string, help: string, member: 'inUse' | 'most' | 'waiting'): StateGauge => ({
  name: `countersign_database_${name}`,
  help,
  read: (state) => state?.storage().connections?.[member] ?? 0,
})

/** Seconds. A statement on SQLite takes some microseconds; PostgreSQL stops a statement after 3.5 seconds. */
const STATEMENT_BUCKETS = [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Measures statements, the use of the connections, the listening connection and the session cache. */
export const databaseMetrics = (register: Registry, stateNow: StateNow): Monitor['statement'] => {
  const registers = [register]

  addGauges(register, stateNow, [
    connectionGauge('connections_in_use', 'Connections of the pool that a caller has. Only on PostgreSQL.', 'inUse'),
    connectionGauge('connections_max', 'The most connections of the pool. 0 on SQLite, which has no pool.', 'most'),
    connectionGauge('connection_waiters', 'Callers that wait for a connection of the pool. Only on PostgreSQL.', 'waiting'),
    {
      name: 'countersign_database_listening',
      help: 'Whether changes by other processes arrive (1). While they do not (0), every request asks the database. 1 on SQLite.',
      read: (state) => (state?.storage().listening === false ? 0 : 1),
    },
  ])
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
