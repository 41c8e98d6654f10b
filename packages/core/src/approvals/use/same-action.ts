import { createHash, timingSafeEqual } from 'node:crypto'
import canonicalize from 'canonicalize'

/** An action: its type, its payload, the operation that it is for, and its tenant. */
export interface ComparedAction {
  readonly actionType: string
  readonly actionPayload: unknown
  /** The gate or operation that the approval is for. An absent operation is `null`. */
  readonly operation?: string | null | undefined
  readonly tenant?: string | null | undefined
}

const digestOf = ({ actionType, actionPayload, operation = null, tenant = null }: ComparedAction): Buffer => {
  const text = canonicalize({ actionType, actionPayload, operation, tenant }) as string
  return createHash('sha256').update(text, 'utf8').digest()
}

/** Returns whether two actions have the same type, payload (RFC 8785), operation and tenant. Takes constant time. */
export const isSameAction = (one: ComparedAction, other: ComparedAction): boolean =>
  timingSafeEqual(digestOf(one), digestOf(other))
