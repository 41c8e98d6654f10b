import type { Use } from '../use/use.ts'

/** The approval that a caller presents to a gate. */
interface Presented {
  readonly userId: number
  readonly id: string
  /** Whether the id must be that of an approval request. */
  readonly isRequest: boolean
}

/** Returns the use of an approval by a gate. Of requests, only those that the caller started exist for the gate. */
export const gateUse = ({ userId, id, isRequest }: Presented, name: string): Pick<Use, 'subject' | 'consumer'> => ({
  subject: isRequest ? { requestId: id, isKnown: ({ requestedBy }) => requestedBy === userId } : { confirmationId: id, userId },
  consumer: { kind: 'gate', name, key: null },
})
