import * as z from 'zod'
import { limits } from '../../limits.ts'
import { queryInteger, timestamp, trueOrFalse, userId } from '../fields.ts'
import { anyActionWith, confirmationId, shownAction, status, withdrawn } from './confirmations.ts'
import { serviceAskingMembers, usedAction, usingMembers } from './statement.ts'

const longestWait = limits.waitSeconds
const wait = queryInteger(0, longestWait, `must be whole seconds from 0 to ${longestWait}`)

/** An SD-JWT: a compact JWS and its disclosures, with a tilde after each. */
const receipt = z.string()

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
  'services.receipt': { input: z.object({ confirmationId }), output: z.object({ receipt }) },
  'services.redeem': {
    input: z.object({ confirmationId, userId, ...usedAction, ...usingMembers }),
    output: z.object({ receipt, confirmationId: z.string(), consumedAt: timestamp }),
  },
  'services.withdraw': { input: z.object({ confirmationId }), output: withdrawn },
} as const
