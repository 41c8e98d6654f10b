import type { LaneLoad } from '@countersign/core'
import { Gauge, type Registry } from 'prom-client'
import type { MonitoredState } from '../shared/monitor.ts'

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

/**
 * Measures the two queues of password hashes: `own` for our own hashes, `foreign` for imported hashes. A hasher of a host may not
 * tell its load.
 */
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
