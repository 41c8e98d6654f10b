import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Monitor, MonitoredState } from '../shared/monitor.ts'

/** Seconds. A statement on SQLite takes some microseconds; PostgreSQL stops a statement after 3.5 seconds. */
const BUCKETS = [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

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
    buckets: BUCKETS,
    registers,
  })
  return ({ milliseconds, error }) => {
    durations.observe(milliseconds / 1000)
    if (error !== undefined) failures.inc()
  }
}
