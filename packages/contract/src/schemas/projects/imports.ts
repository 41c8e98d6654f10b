import * as z from 'zod'
import { expenseCategories, resourceTypes } from '../../vocabulary.ts'
import { currency, givenTimestamp, oneOf, plainText } from '../fields.ts'

/** The lines of import files. Every value may be text, as in CSV. */

const projectCode = plainText(1, 255, 'must be the code of a project')
const externalId = plainText(1, 255)

const amountTakes =
  'must be a decimal number of at most 14 digits before the point and 4 after it, written as text if it has more than 15 digits'

/** A double represents every decimal of at most 15 digits exactly. */
const hasCertainDigits = (value: number): boolean => Number(value.toPrecision(15)) === value

/** A decimal as text, exactly as written. A JSON number is accepted if its digits are exact. */
const amount = z
  .union([z.string(), z.number().refine(hasCertainDigits).transform(String)], { error: amountTakes })
  .refine((value) => /^-?\d{1,14}(?:\.\d{1,4})?$/.test(value), { error: amountTakes })

const dayOrTimestampTakes = 'must be a date as YYYY-MM-DD, or a timestamp with Z or an offset such as 2026-01-31T09:30:00Z'

/** The schema of a line, by the kind of file. */
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
    incurredAt: z.union([z.iso.date({ error: dayOrTimestampTakes }), givenTimestamp], { error: dayOrTimestampTakes }),
  }),
} as const

/** A checked line of `resource import`. */
export type ResourceLine = z.output<(typeof importLines)['resource']>
/** A checked line of `expense import`. */
export type ExpenseLine = z.output<(typeof importLines)['expense']>
