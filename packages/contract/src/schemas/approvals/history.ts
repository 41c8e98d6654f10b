import * as z from 'zod'
import { limits } from '../../limits.ts'
import { approvalStatuses, confirmationStatuses } from '../../vocabulary.ts'
import { givenTimestamp, nextCursor, oneOf, pageMembers, text, timestamp } from '../fields.ts'
import { shownAction, status } from './confirmations.ts'
import { displays } from './statement.ts'

/** Which entries a list has: `from` a time and before `until`, by the time at which they were asked. */
const filters = {
  actionType: text(1, 64, 'must be the name of an action type').optional(),
  from: givenTimestamp.optional(),
  until: givenTimestamp.optional(),
  ...pageMembers(limits.approvalsPerPage.max),
}

const entry = {
  tenant: z.string().nullable(),
  /** The signed words, by language (BCP 47). */
  display: displays,
  createdAt: timestamp,
  expiresAt: timestamp,
  /** The time of the withdrawal of an entry, which then reads `expired`; `null` for any other. */
  withdrawnAt: timestamp.nullable(),
}

const ownConfirmation = z.object({
  confirmationId: z.string(),
  /** The approval request of a vote; `null` for a confirmation of its own. */
  approvalId: z.string().nullable(),
  status,
  ...entry,
  updatedAt: timestamp,
  /** The reason of the person for a rejection; `null` for none. */
  reason: z.string().nullable(),
  actionTypeVersion: z.string().nullable(),
})

const ownRequest = z.object({ approvalId: z.string(), status: oneOf(approvalStatuses), count: z.int(), ...entry })

export const historyShapes = {
  'confirmations.list': {
    input: z.object({ status: oneOf(confirmationStatuses).optional(), ...filters }),
    output: z.object({ confirmations: z.array(ownConfirmation.and(shownAction)), nextCursor }),
  },
  'approvals.list': {
    input: z.object({ status: oneOf(approvalStatuses).optional(), ...filters }),
    output: z.object({ approvals: z.array(ownRequest.and(shownAction)), nextCursor }),
  },
} as const
