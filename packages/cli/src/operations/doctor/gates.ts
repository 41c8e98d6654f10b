import type { Config } from '@countersign/server'
import { type Finding, notConfigured, ok } from './check.ts'

/** Names the gated operations, each with the type of the action that a user approves. */
export const examineGates = ({ gates }: Pick<Config, 'gates'>): Finding => {
  const pairs = Object.entries(gates).map(([gate, required]) => `${gate} needs a ${required?.actionType}`)
  return pairs.length === 0 ? notConfigured('no operation needs an approval') : ok(pairs.join(', '))
}
