import { PushTokenGone, pushMessageTypes } from '@countersign/core'
import { Counter, type Registry } from 'prom-client'
import type { Monitor } from '../shared/monitor.ts'

/**
 * Counts the deliveries of push messages, by the provider, the type of the message and whether they arrived. A token that is gone
 * is no failure of the provider.
 */
export const pushMetrics = (register: Registry): Monitor['countingPush'] => {
  const deliveries = new Counter({
    name: 'countersign_push_deliveries_total',
    help: 'Push messages, by provider, type and outcome (delivered, gone, failed). A message that is sent again counts once.',
    labelNames: ['provider', 'type', 'outcome'],
    registers: [register],
  })
  return (push, provider) => {
    // A counter that appears with its first event has no increase that an alert could see.
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
