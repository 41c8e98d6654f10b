import { actionTypes } from '@countersign/contract'
import { Counter, type Registry } from 'prom-client'
import type { Monitor } from '../shared/monitor.ts'
import { boundedLabel } from './bounded-label.ts'

/**
 * Counts the steps of confirmations. Types of the contract always have a label of their own, and registered types up to a bound.
 */
export const confirmationMetrics = (register: Registry): Monitor['confirmation'] => {
  const steps = new Counter({
    name: 'countersign_confirmations_total',
    help: 'Steps of confirmations, by action type and outcome: initiated, approved, rejected, wrong_signature, wrong_number, consumed.',
    labelNames: ['action_type', 'outcome'],
    registers: [register],
  })
  const label = boundedLabel(actionTypes)
  return ({ actionType, outcome }) => steps.inc({ action_type: label(actionType), outcome })
}
