import type { ExpenseCategory } from '@countersign/contract'
import type { Expense } from '../../../projects/expenses/expense.ts'
import type { ExpenseStore } from '../../../projects/expenses/store.ts'
import type { Run } from '../tables.ts'
import { commitStaged, discardStaged, stageEntries } from './imports.ts'
import { visibleProject } from './projects.ts'

const keyOf = ({ projectId, externalId }: Pick<Expense, 'projectId' | 'externalId'>): string => `${projectId}\0${externalId}`

export const memoryExpenses = (run: Run): ExpenseStore => ({
  stage: (importId, expenses, now) =>
    run(({ stagedExpenses }) => stageEntries(stagedExpenses, keyOf, { importId, entries: expenses, now })),
  commitImport: (importId) => run(({ stagedExpenses, expenses }) => commitStaged(stagedExpenses, expenses, keyOf, importId)),
  discardImport: (importId) =>
    run(({ stagedExpenses }) => {
      discardStaged(stagedExpenses, importId)
    }),
  sums: (uniqueCode) =>
    run((tables) => {
      const project = visibleProject(tables, uniqueCode)
      if (project === undefined) return undefined
      const ofProject = [...tables.expenses.values()].filter(({ projectId }) => projectId === project.id)
      const sumOf = (category: ExpenseCategory) =>
        ofProject.filter((expense) => expense.category === category).reduce((sum, { amount }) => sum + amount, 0n)
      return {
        currency: project.currency,
        byCategory: { materials: sumOf('materials'), labor: sumOf('labor'), overhead: sumOf('overhead') },
      }
    }),
})
