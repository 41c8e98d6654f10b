import { actionTypes } from '@countersign/contract'
import { confirmationOutcomes } from '@countersign/core'
import { Counter, type Registry } from 'prom-client'
import type { Monitor } from '../shared/monitor.ts'
import { boundedLabel } from './bounded-label.ts'

/**
 * Counts the steps of confirmations. Types of the contract always have a label of their own, and registered types up to a bound.
 * All outcomes of a type are counted from the start, or from its first step: an alert sees no increase to a counter's first value.
 */
export const confirmationMetrics = (register: Registry): Monitor['confirmation'] => {
  const steps = new Counter({
    name: 'countersign_confirmations_total',
    help: 'Steps of confirmations, by action type and outcome: initiated, approved, rejected, withdrawn, wrong_signature, wrong_number, consumed.',
    labelNames: ['action_type', 'outcome'],
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
  return ({ actionType, outcome }) => {
    const type = label(actionType)
    begin(type)
    steps.inc({ action_type: type, outcome })
  }
}
