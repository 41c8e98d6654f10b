import type { Checked } from '@countersign/contract'
import { type CallerOrAdmin, requireRight } from '../../identity/authentication/caller.ts'
import type { ProjectStorage } from '../deps.ts'
import { projectNotFound } from '../projects/shown-project.ts'
import type { Amount, ExpenseSums } from '../records/expense.ts'

/** The sum of each category, and the total. */
export interface ExpenseSummary extends ExpenseSums {
  readonly total: Amount
}

/**
 * Returns the exact sums of a project's expenses, in the currency of the project. @throws Forbidden, ProjectNotFound
 * @example const { total } = await countersign.expenses.sum({ caller, uniqueCode })
 */
export async function sumExpenses(
  { storage }: ProjectStorage,
  input: Checked<'projects.sumExpenses'> & { readonly caller: CallerOrAdmin },
): Promise<ExpenseSummary> {
  requireRight(input.caller, 'project.read')
  const sums = await storage.projects.expenses.sums(input.uniqueCode)
  if (sums === undefined) throw projectNotFound(input.caller)
  const { materials, labor, overhead } = sums.byCategory
  return { ...sums, total: materials + labor + overhead }
}
