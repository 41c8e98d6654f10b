import { createHash, timingSafeEqual } from 'node:crypto'
import canonicalize from 'canonicalize'

/** An action: its type and its payload. */
export interface ComparedAction {
  readonly actionType: string
  /** The payload as a JSON value. */
  readonly actionPayload: unknown
}

const digestOf = ({ actionType, actionPayload }: ComparedAction): Buffer => {
  const text = canonicalize({ actionType, actionPayload })
  if (text === undefined) throw new TypeError('an action has a canonical form')
  return createHash('sha256').update(text, 'utf8').digest()
}

/**
 * Returns whether two actions have the same type and the same payload. The order of members does not count (RFC 8785). The
 * comparison takes the same time wherever the actions differ.
 */
export const isSameAction = (one: ComparedAction, other: ComparedAction): boolean =>
  timingSafeEqual(digestOf(one), digestOf(other))
