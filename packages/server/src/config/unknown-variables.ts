import { closestMatch } from 'leven'
import { variables } from './variables.ts'

/** A variable that is set and that nothing reads: most likely a mistyped one. */
export interface UnknownVariable {
  readonly name: string
  /** The known name that is most like it. */
  readonly nearest: string
}

const PREFIX = 'COUNTERSIGN_'
const known = Object.keys(variables.shape)

/** Kubernetes sets these in every container beside a service called `countersign`. */
const OF_KUBERNETES = /^COUNTERSIGN_(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/

const isUnknown = ([name, value]: readonly [string, string | undefined]): boolean =>
  value !== undefined &&
  value !== '' &&
  name.toUpperCase().startsWith(PREFIX) &&
  !known.includes(name) &&
  !OF_KUBERNETES.test(name)

/** Finds the variables of ours by their prefix, in any case, that nothing reads. Empty ones count as not set. */
export const unknownVariables = (env: Readonly<Record<string, string | undefined>>): readonly UnknownVariable[] =>
  Object.entries(env)
    .filter(isUnknown)
    .map(([name]) => ({ name, nearest: closestMatch(name.toUpperCase(), known) ?? PREFIX }))
