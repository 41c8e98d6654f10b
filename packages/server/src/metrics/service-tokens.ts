import type { ServiceToken } from '@countersign/core'
import { Gauge, type Registry } from 'prom-client'
import type { MonitoredState } from '../shared/monitor.ts'
import { boundedLabel } from './bounded-label.ts'

const DAY = 86_400_000
/** Milliseconds. Tokens last for days, so a scrape need not ask the database each time. */
const READ_EVERY = 60_000

/** Returns when the last usable token of each service expires. A service that has a newer token does not need its older one. */
const lastExpiries = (tokens: readonly ServiceToken[]): ReadonlyMap<string, number> => {
  const last = new Map<string, number>()
  for (const { service, expiresAt, revokedAt } of tokens) {
    if (revokedAt === null) last.set(service, Math.max(expiresAt, last.get(service) ?? 0))
  }
  return last
}

/** Tells for how many days each service can still authenticate. A token that expired is 0 or less until it is deleted. */
export const serviceTokenMetrics = (register: Registry, stateNow: () => MonitoredState | undefined): void => {
  const label = boundedLabel()
  let read: { readonly at: number; readonly expiries: ReadonlyMap<string, number> } | undefined
  new Gauge({
    name: 'countersign_service_token_expires_days',
    help: 'Days until the last token of a service expires, by service. Revoked tokens do not count.',
    labelNames: ['service'],
    registers: [register],
    collect: async function () {
      const state = stateNow()
      if (state === undefined) return
      const now = Date.now()
      if (read === undefined || Math.abs(now - read.at) >= READ_EVERY) {
        // A database that is away is reported by other metrics; the scrape must not fail.
        const tokens = await state.serviceTokens().catch(() => undefined)
        if (tokens !== undefined) read = { at: now, expiries: lastExpiries(tokens) }
      }
      this.reset()
      for (const [service, expiresAt] of read?.expiries ?? []) this.set({ service: label(service) }, (expiresAt - now) / DAY)
    },
  })
}
