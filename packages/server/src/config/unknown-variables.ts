import { closestMatch } from 'leven'
import { variables } from './variables.ts'

/** A set variable with our prefix that no code reads. Most likely its name is mistyped. */
export interface UnknownVariable {
  readonly name: string
  /** The most similar known name. */
  readonly nearest: string
}

const PREFIX = 'COUNTERSIGN_'
const known = Object.keys(variables.shape)

/** The variables that Kubernetes sets in every container if a service is called `countersign`. */
const KUBERNETES_NAMES = /^COUNTERSIGN_(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/

const isUnknown = ([name, value]: readonly [string, string | undefined]): boolean =>
  value !== undefined &&
  value !== '' &&
  name.toUpperCase().startsWith(PREFIX) &&
  !known.includes(name) &&
  !KUBERNETES_NAMES.test(name)

/** Returns the set variables with our prefix, in any case, that no code reads. An empty variable counts as unset. */
export const unknownVariables = (env: Readonly<Record<string, string | undefined>>): readonly UnknownVariable[] =>
  Object.entries(env)
    .filter(isUnknown)
    .map(([name]) => ({ name, nearest: closestMatch(name.toUpperCase(), known) ?? PREFIX }))
