import { randomUuid } from '../../shared/random.ts'
import type { ProjectImport } from '../deps.ts'
import { InvalidImportLine } from '../imports/errors.ts'
import { type ImportInput, runImport } from '../imports/run-import.ts'
import type { ImportCounts } from '../records/resource.ts'
import { parseAmount } from './amount.ts'

/**
 * Imports expenses of projects: all lines or none. Each expense must be in the currency of its project. A line replaces the
 * expense that has the same project and external id. The import streams, so its memory does not grow with the file.
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
