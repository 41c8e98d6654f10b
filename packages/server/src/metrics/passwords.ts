import { Gauge, type Registry } from 'prom-client'
import type { MonitoredState } from '../shared/monitor.ts'

/** Measures the queue of password hashes. A hasher of a host may not tell its load. */
export const passwordMetrics = (register: Registry, stateNow: () => MonitoredState | undefined): void => {
  const registers = [register]
  const load = () => stateNow()?.passwords()
  new Gauge({
    name: 'countersign_password_hashes_running',
    help: 'Passwords that are being hashed.',
    registers,
    collect: function () {
      this.set(load()?.running ?? 0)
    },
  })
  new Gauge({
    name: 'countersign_password_hashes_waiting',
    help: 'Passwords that wait to be hashed.',
    registers,
    collect: function () {
      this.set(load()?.waiting ?? 0)
    },
  })
  new Gauge({
    name: 'countersign_password_hashes_waiting_max',
    help: 'The most passwords that may wait. Further logins are refused with 503.',
    registers,
    collect: function () {
      this.set(load()?.queue ?? 0)
    },
  })
}
