import type { Instant } from '@countersign/core/storage'
import type { ExpressionBuilder } from 'kysely'
import { deleting, deletingTogether, type SweepStep } from '../shared/sweep.ts'
import type { Tables } from '../tables/index.ts'

/** Longer than any import takes, in milliseconds. */
const STAGED_KEPT = 24 * 3_600_000

const isLeftOver = (the: ExpressionBuilder<Tables, 'staged_resources' | 'staged_expenses'>, now: Instant) =>
  the('staged_at', '<', now - STAGED_KEPT)

/** The steps that sweep the tables of projects. Staged rows remain when the process of an import ends early. */
export const projectSweep: readonly SweepStep[] = [
  deleting('unfinishedImports', 'staged_resources', ['import_id', 'project_id', 'type', 'external_id'], isLeftOver),
  deleting('unfinishedImports', 'staged_expenses', ['import_id', 'project_id', 'external_id'], isLeftOver),
  deletingTogether({
    kind: 'removedProjects',
    retention: 'removedProjects',
    // The search index and the counters have forgotten a project since its removal.
    select: (db, before) => db.selectFrom('projects').select('id').where('removed_at', '<', before),
    delete: async (tx, ids) => {
      for (const table of ['products', 'project_participants', 'resources', 'expenses'] as const) {
        await tx.write((db) => db.deleteFrom(table).where('project_id', 'in', ids))
      }
      await tx.write((db) => db.deleteFrom('projects').where('id', 'in', ids))
    },
  }),
]
