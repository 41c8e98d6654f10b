import * as z from 'zod'
import { limits } from '../../limits.ts'
import { queryInteger, text, timestamp } from '../fields.ts'
import { anyActionWith, confirmationId, shownAction, status, trueOrFalse, withdrawn } from './confirmations.ts'
import { serviceAskingMembers, usingMembers } from './statement.ts'

const userId = z.int({ error: 'must be the id of a user' })

const longestWait = limits.waitSeconds
const wait = queryInteger(0, longestWait, `must be whole seconds from 0 to ${longestWait}`)

const actionType = text(1, 255, 'must be the type of the action')
/** Compared with the payload that the user approved, so no member is required here. */
const actionPayload = z.looseObject({}, { error: 'must be an object' })
const idempotencyKey = text(1, 255, 'must be text of 1 to 255 characters')

/** An SD-JWT: a compact JWS and its disclosures, with a tilde behind each. */
const receipt = z.string()

/** The operations for other services. */
export const serviceShapes = {
  'services.initiate': {
    input: anyActionWith({ userId, numberMatching: trueOrFalse.optional(), ...serviceAskingMembers }),
    output: z.object({ confirmationId: z.string(), expiresAt: timestamp, matchNumber: z.string().nullable() }),
  },
  'services.confirmation': {
    input: z.object({ confirmationId, wait: wait.optional() }),
    output: z
      .object({
        confirmationId: z.string(),
        userId: z.int(),
        status,
        createdAt: timestamp,
        expiresAt: timestamp,
        updatedAt: timestamp,
        approvedAt: timestamp.nullable(),
        consumedAt: timestamp.nullable(),
        voidedAt: timestamp.nullable(),
        withdrawnAt: timestamp.nullable(),
      })
      .and(shownAction),
  },
  'services.receipt': {
    input: z.object({ confirmationId }),
    output: z.object({ receipt }),
  },
  'services.redeem': {
    input: z.object({
      confirmationId,
      userId,
      actionType,
      actionPayload,
      idempotencyKey: idempotencyKey.optional(),
      ...usingMembers,
    }),
    output: z.object({ receipt, confirmationId: z.string(), consumedAt: timestamp }),
  },
  'services.withdraw': { input: z.object({ confirmationId }), output: withdrawn },
} as const
