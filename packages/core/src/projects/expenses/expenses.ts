import { requireRight } from '../../identity/authentication/caller.ts'
import { randomUuid } from '../../shared/random.ts'
import type { ByCaller, ProjectImport, ProjectStorage } from '../deps.ts'
import { InvalidImportLine } from '../imports/import-lines.ts'
import { type ImportInput, runImport } from '../imports/run-import.ts'
import { projectNotFound } from '../projects/shown-project.ts'
import type { Amount, ExpenseSums } from '../records/expense.ts'
import type { ImportCounts } from '../records/resource.ts'
import { parseAmount } from './amount.ts'

/**
 * Imports expenses of projects, in their currencies: all lines or none. A line replaces one of the same project and external id.
 * @throws InvalidImportLine
 * @example const { imported, updated } = await countersign.expenses.import({ lines })
 */
export async function importExpenses(deps: ProjectImport, input: ImportInput): Promise<ImportCounts> {
  return runImport(deps, input, {
    kind: 'expense',
    store: deps.storage.projects.expenses,
    entryOf: ({ line, value: { currency, externalId, category, amount, incurredAt }, project }) => {
      if (currency !== project.currency)
        throw new InvalidImportLine(line, { currency: `must be the project's currency, ${project.currency}` })
      const id = randomUuid(deps.random)
      return { id, projectId: project.id, externalId, category, amount: parseAmount(amount), incurredAt: Date.parse(incurredAt) }
    },
    keyOf: ({ projectId, externalId }) => `${projectId} ${externalId}`,
  })
}

/** The sum of each category, and the total. */
export interface ExpenseSummary extends ExpenseSums {
  readonly total: Amount
}

/**
 * Returns the exact sums of a project's expenses, in the currency of the project. @throws Forbidden, ProjectNotFound
 * @example const { total } = await countersign.expenses.sum({ caller, uniqueCode })
 */
export async function sumExpenses({ storage }: ProjectStorage, input: ByCaller<'projects.sumExpenses'>): Promise<ExpenseSummary> {
  requireRight(input.caller, 'project.read')
  const sums = await storage.projects.expenses.sums(input.uniqueCode)
  if (sums === undefined) throw projectNotFound(input.caller)
  const { materials, labor, overhead } = sums.byCategory
  return { ...sums, total: materials + labor + overhead }
}
