import type { ImportLine } from '../../shared/import-line.ts'
import { randomUuid } from '../../shared/random.ts'
import type { ProjectDeps } from '../deps.ts'
import { InvalidImportLine } from '../imports/errors.ts'
import { knownLines, lastOfEach } from '../imports/import-lines.ts'
import { runImport } from '../imports/run-import.ts'
import type { Expense } from '../records/expense.ts'
import type { ImportCounts } from '../records/resource.ts'
import { parseAmount } from './amount.ts'

/**
 * Imports expenses of projects: all lines or none. Each expense must be in the currency of its project. A line replaces the
 * expense that has the same project and external id. The import streams, so its memory does not grow with the file.
 *
 * @throws InvalidImportLine
 */
export async function importExpenses(
  deps: Pick<ProjectDeps, 'storage' | 'clock' | 'random'>,
  input: { readonly lines: AsyncIterable<ImportLine>; readonly onProgress?: (lines: number) => void },
): Promise<ImportCounts> {
  async function* batches() {
    for await (const known of knownLines(deps, 'expense', input.lines)) {
      const expenses = known.map(({ line, value, project }): Expense => {
        if (value.currency !== project.currency) {
          throw new InvalidImportLine(line, { currency: `must be the project's currency, ${project.currency}` })
        }
        return {
          id: randomUuid(deps.random),
          projectId: project.id,
          externalId: value.externalId,
          category: value.category,
          amount: parseAmount(value.amount),
          incurredAt: Date.parse(value.incurredAt),
        }
      })
      yield { lines: known.length, entries: lastOfEach(expenses, ({ projectId, externalId }) => `${projectId} ${externalId}`) }
    }
  }
  return runImport(deps, deps.storage.projects.expenses, batches(), input.onProgress)
}
