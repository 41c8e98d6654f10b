import * as z from 'zod'
import { expenseCategories, resourceTypes } from '../../vocabulary.ts'
import { currency, givenTimestamp, oneOf, plainText } from '../fields.ts'

/** The lines of the files that operators import. Every value may be text, as it is in CSV. */

const projectCode = plainText(1, 255, 'must be the code of a project')
const externalId = plainText(1, 255)

const amountTakes =
  'must be a decimal number of at most 14 digits before the point and 4 after it, written as text where it has more than 15 digits'

/** Beyond 15 digits a binary number no longer tells which decimal was written. */
const hasCertainDigits = (value: number): boolean => Number(value.toPrecision(15)) === value

/** A decimal as text, exactly as written. A JSON number is taken where its digits are certain. */
const amount = z
  .union([z.string(), z.number().refine(hasCertainDigits).transform(String)], { error: amountTakes })
  .refine((value) => /^-?\d{1,14}(?:\.\d{1,4})?$/.test(value), { error: amountTakes })

const dayOrTimestampTakes = 'must be a date as YYYY-MM-DD, or a timestamp with Z or an offset such as 2026-01-31T09:30:00Z'

/** What a line of each kind of file must be. */
export const importLines = {
  resource: z.object({
    projectCode,
    type: oneOf(resourceTypes),
    externalId,
    name: plainText(1, 255),
    status: plainText(1, 255),
  }),
  expense: z.object({
    projectCode,
    externalId,
    category: oneOf(expenseCategories),
    amount,
    currency,
    incurredAt: z.union([z.iso.date(), givenTimestamp], { error: dayOrTimestampTakes }),
  }),
} as const

/** A line of `resource import`, checked. */
export type ResourceLine = z.output<(typeof importLines)['resource']>
/** A line of `expense import`, checked. */
export type ExpenseLine = z.output<(typeof importLines)['expense']>
