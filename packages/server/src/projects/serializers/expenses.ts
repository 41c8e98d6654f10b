import type { Output } from '@countersign/contract'
import { type Amount, formatAmount } from '@countersign/core'
import type { ExpenseSummary } from '@countersign/core/types'
import { JsonText, toJsonText } from '../../http/json-text.ts'

/** An exact decimal as a JSON number: a double would lose digits. */
const exactly = (amount: Amount): JsonText<number> => new JsonText<number>(formatAmount(amount))

export const serializeExpenses = ({ total, currency, byCategory }: ExpenseSummary): JsonText<Output<'projects.sumExpenses'>> =>
  toJsonText<Output<'projects.sumExpenses'>>({
    data: {
      totalExpenses: exactly(total),
      currency,
      breakdown: {
        materials: exactly(byCategory.materials),
        labor: exactly(byCategory.labor),
        overhead: exactly(byCategory.overhead),
      },
    },
  })
